import { showInvisible } from './escape.ts'
import { unicodeExpression } from './unicode-expression.ts'

/** The longest part of a value from a model or a skill that a message repeats. */
const MAX_QUOTE_CODE_POINTS = 120

/** Returns a value in quotes for a sentence: shortened, on one line, with invisible characters made visible. */
export function quote(text: string): string {
  return `"${shown(text)}"`
}

/** Returns the same without quotes. */
export function shown(text: string): string {
  // A code point has at most two code units, so no more than about twice the limit has to be read.
  const points = Array.from(text.slice(0, 2 * MAX_QUOTE_CODE_POINTS + 2))
  const short =
    points.length > MAX_QUOTE_CODE_POINTS ? `${points.slice(0, MAX_QUOTE_CODE_POINTS).join('')}…` : points.join('')
  return showInvisible(short).replaceAll(
    BLANK(),
    (character) => `\\u{${character.codePointAt(0)!.toString(16).toUpperCase()}}`,
  )
}

/** Characters that look like a space, and lone surrogates, which are invisible. */
const BLANK = unicodeExpression(String.raw`(?! )\p{Zs}|\p{Cs}`, 'gu')
