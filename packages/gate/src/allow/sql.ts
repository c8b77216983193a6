import { quote } from '@repertoire/skill-md/internal'
import { asGlob, matchText } from '../glob.ts'
import { isLongerThan, MAX_PATTERN_CHARS, MAX_TEXT_CHARS } from '../limits.ts'
import { isSinglePlainStatement } from '../shell/programs/sql.ts'
import { type Comparison, coveredByNothing } from './mismatch.ts'

/**
 * Compares SQL. A pattern is the text itself, or one in which each `*` stands for any text; with a `*` it covers only one
 * statement of which every word is known, and that writes only where it begins so.
 * @param name of the argument
 */
export function compareSql(name: string, value: string): Comparison {
  if (value.length > MAX_TEXT_CHARS) {
    return coveredByNothing(`its argument ${quote(name)} ${isLongerThan(MAX_TEXT_CHARS)}`)
  }
  return (pattern) => {
    if (pattern === value && pattern.length <= MAX_PATTERN_CHARS) return undefined
    const glob = asGlob(pattern)
    if (pattern.length > MAX_PATTERN_CHARS || /^\**$/.test(glob) || !matchText(glob, value)) {
      return { why: `${quote(value)} is not of that form`, about: 'form' }
    }
    if (isSinglePlainStatement(value)) return undefined
    return {
      why: `${quote(value)} is not certainly a single statement of which every word is known`,
      hint: 'Give one statement, without comments and without functions that do more than compute.',
      about: 'value',
    }
  }
}
