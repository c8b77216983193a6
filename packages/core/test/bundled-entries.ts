import { bundled } from '@repertoire/test-servers'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const entry = (path: string): string => pathToFileURL(bundled(resolve(import.meta.dirname, '../src', path))).href

/** What a process that a test starts imports as `@repertoire/core`. */
export const CORE = entry('index.ts')
/** As `@repertoire/core/node`. */
export const NODE = entry('node/index.ts')
