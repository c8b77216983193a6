import { MAX_PATTERN_CHARS, matchText } from './glob.ts'
import type { Comparison } from './mismatch.ts'
import { quote } from './wording.ts'

/** In UTF-16 units. */
export const MAX_TEXT_CHARS = 10_000

/**
 * Compares a plain string: a pattern is the text itself, `prefix:*` for what begins with the prefix, or a text in which
 * each `*` stands for any text.
 */
export function compareText(name: string, value: unknown): Comparison {
  if (typeof value !== 'string') return () => ({ why: `its argument ${quote(name)} is no text`, weight: 'value' })
  if (value.length > MAX_TEXT_CHARS) {
    return () => ({ why: `its argument ${quote(name)} is longer than 10,000 characters`, weight: 'value' })
  }
  return (pattern) =>
    covers(pattern, value) ? undefined : { why: `${quote(value)} is not of that form`, weight: 'form' }
}

function covers(pattern: string, value: string): boolean {
  if (pattern === '' || pattern.length > MAX_PATTERN_CHARS) return false
  if (!pattern.endsWith(':*')) return matchText(pattern, value)
  const prefix = pattern.slice(0, -':*'.length)
  return prefix !== '' && matchText(`${prefix}*`, value)
}
