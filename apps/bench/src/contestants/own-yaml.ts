import { parse } from 'yaml'
import type { Contestant } from './contestant.ts'
import { ownCode } from './own-code.ts'

const FENCED = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/

/** `yaml`, fs.promises and zod. */
export function prepare(root: string): Contestant {
  return ownCode(root, (text) => parse(FENCED.exec(text)?.[1] ?? ''))
}
