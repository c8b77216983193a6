import { globSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const MB = 1_000_000

/** The limits, in MB. */
const LIMITS = { core: 3, command: 30 } as const

/** A figure of what is installed, and its limit. */
export interface Size {
  readonly what: string
  readonly value: number
  readonly limit: number
  readonly unit: 'MB' | 'packages' | 'files'
}

/** What core brings: itself and the two packages that it is made of. */
const CORE = ['@repertoire/core', '@repertoire/gate', '@repertoire/skill-md']

/** Measures a folder in which npm has installed the command, and nothing else. */
export function installedSizes(folder: string): readonly Size[] {
  const modules = join(folder, 'node_modules')
  const lock = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')) as { readonly packages: object }
  const core = CORE.reduce((sum, name) => sum + bytesOf(join(modules, name)), 0)
  const maps = globSync(['@repertoire/**/*.map', 'repertoire/**/*.map'], { cwd: modules })
  return [
    { what: 'core with skill-md and gate', value: core / MB, limit: LIMITS.core, unit: 'MB' },
    { what: 'the command, installed', value: bytesOf(modules) / MB, limit: LIMITS.command, unit: 'MB' },
    { what: 'the command, installed', value: Object.keys(lock.packages).length, limit: 64, unit: 'packages' },
    { what: 'source maps', value: maps.length, limit: 0, unit: 'files' },
  ]
}

/** `3.21 MB of at most 3 MB: core with skill-md and gate`. */
export function sizeText({ what, value, limit, unit }: Size): string {
  const shown = unit === 'MB' ? value.toFixed(2) : String(value)
  return `${shown} ${unit} of at most ${limit}: ${what}`
}

/** The bytes of all files below a folder. Links are not followed. */
function bytesOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}
