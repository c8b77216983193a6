import { quote } from '@repertoire/skill-md/internal'
import { asGlob, matchText } from '../glob.ts'
import { isLongerThan, MAX_PATTERN_CHARS, MAX_TEXT_CHARS } from '../limits.ts'
import { type Comparison, coveredByNothing } from './mismatch.ts'

/** What a `*` may stand for, apart from what the pattern itself holds: words of one line and their punctuation. */
const PLAIN = /[\p{L}\p{M}\p{N}\p{Zs}.,:!?'"@#%/+*=()_~-]/gu

/**
 * Compares a plain string: a pattern is the text itself, `prefix:*` for what begins with the prefix, or a text in which
 * each `*` stands for any text of one line. A line break, `;` and other characters that could begin something else in a
 * language that the tool reads are covered only where the pattern holds them too.
 * @param name of the argument
 */
export function compareText(name: string, value: string): Comparison {
  if (value.length > MAX_TEXT_CHARS) {
    return coveredByNothing(`its argument ${quote(name)} ${isLongerThan(MAX_TEXT_CHARS)}`)
  }
  return (pattern) => {
    if (!coversText(pattern, value)) return { why: `${quote(value)} is not of that form`, about: 'form' }
    const other = otherCharacters(value).find((character) => !pattern.includes(character))
    if (other === undefined) return undefined
    return { why: `${quote(value)} holds ${quote(other)}, which a "*" does not stand for`, about: 'value' }
  }
}

/** Characters that a `*` does not stand for. */
export function otherCharacters(text: string): readonly string[] {
  return Array.from(text.replaceAll(PLAIN, ''))
}

function coversText(pattern: string, value: string): boolean {
  if (pattern === '' || pattern === ':*' || pattern.length > MAX_PATTERN_CHARS) return false
  return matchText(asGlob(pattern), value)
}
