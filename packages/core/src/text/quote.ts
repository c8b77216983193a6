import { showInvisible } from './escape.ts'
import { unicodeExpression } from './unicode-expression.ts'

/** How much of a value from a model or a skill is repeated. */
const MAX_QUOTE_CODE_POINTS = 120

/** A value in quotes for a sentence: shortened, on one line, with everything invisible made visible. */
export function quote(text: string): string {
  return `"${shown(text)}"`
}

/** The same without quotes. */
export function shown(text: string): string {
  // A code point has at most two units, so no more than twice the bound is ever looked at.
  const points = Array.from(text.slice(0, 2 * MAX_QUOTE_CODE_POINTS + 2))
  const short =
    points.length > MAX_QUOTE_CODE_POINTS ? `${points.slice(0, MAX_QUOTE_CODE_POINTS).join('')}…` : points.join('')
  return showInvisible(short).replaceAll(
    BLANK(),
    (character) => `\\u{${character.codePointAt(0)!.toString(16).toUpperCase()}}`,
  )
}

/** What looks like a space, and halves of a surrogate pair, which show as nothing. */
const BLANK = unicodeExpression(String.raw`(?! )\p{Zs}|\p{Cs}`, 'gu')
