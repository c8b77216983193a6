import type { YamlEntry } from '../yaml/tree.ts'

/** Far below the 1,024 characters that YAML allows between a key's beginning and its colon. */
export const MAX_KEY_CHARS = 256

/** Keys of JavaScript's prototypes, and the merge key of YAML 1.1. The full reader reports the error. */
const REFUSED: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype', '<<'])

/** A key without quotes or escapes that is not refused. */
export const SIMPLE_KEY = /^(?!constructor$|prototype$)[A-Za-z][\w-]*$/

/** Whether a key is one that no manifest may have. */
export function isRefused(key: string): boolean {
  return REFUSED.has(key)
}

export function hasDuplicate(entries: readonly YamlEntry[]): boolean {
  return entries.length > 1 && new Set(entries.map(({ key }) => key)).size < entries.length
}
