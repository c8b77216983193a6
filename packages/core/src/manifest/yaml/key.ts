import type { YamlEntry } from './tree.ts'

/** Far below the 1,024 characters that YAML allows between a key's beginning and its colon. */
export const MAX_KEY = 256

/** Up to this many keys are compared faster one by one than by a set. */
const FEW = 16

/** Keys of JavaScript's prototypes, and the merge key of YAML 1.1. The full reader says what is wrong with them. */
const REFUSED: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype', '<<'])

/** Whether no key stands twice and none is refused. */
export function areUsable(entries: readonly YamlEntry[]): boolean {
  if (entries.length > FEW && new Set(entries.map(({ key }) => key)).size < entries.length) return false
  for (let index = 0; index < entries.length; index++) {
    const { key } = entries[index]!
    if (REFUSED.has(key)) return false
    if (entries.length <= FEW) {
      for (let other = 0; other < index; other++) if (entries[other]!.key === key) return false
    }
  }
  return true
}
