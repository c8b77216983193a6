import { quote } from '../../text/quote.ts'
import { matchText } from '../glob.ts'
import { isLongerThan, MAX_PATTERN_CHARS, MAX_TEXT_CHARS } from '../limits.ts'
import { type Comparison, coveredByNothing } from './mismatch.ts'

/**
 * Compares a plain string: a pattern is the text itself, `prefix:*` for what begins with the prefix, or a text in which
 * each `*` stands for any text.
 * @param name of the argument
 */
export function compareText(name: string, value: string): Comparison {
  if (value.length > MAX_TEXT_CHARS) {
    return coveredByNothing(`its argument ${quote(name)} ${isLongerThan(MAX_TEXT_CHARS)}`)
  }
  return (pattern) =>
    coversText(pattern, value) ? undefined : { why: `${quote(value)} is not of that form`, about: 'form' }
}

function coversText(pattern: string, value: string): boolean {
  if (pattern === '' || pattern.length > MAX_PATTERN_CHARS) return false
  if (!pattern.endsWith(':*')) return matchText(pattern, value)
  const prefix = pattern.slice(0, -':*'.length)
  return prefix !== '' && matchText(`${prefix}*`, value)
}
