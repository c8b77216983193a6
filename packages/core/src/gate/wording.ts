import { showInvisible } from '../text/escape.ts'
import type { ToolRule } from '../ports/manifest.ts'
import { unicodeExpression } from '../text/unicode-expression.ts'

/** How much of a value from a model or a skill is repeated, in code points. */
const MAX_QUOTE_CODE_POINTS = 120
const MAX_RULES = 20

/** A value in quotes for a sentence: shortened, one line, with nothing in it that is not seen. */
export function quote(text: string): string {
  return `"${shown(text)}"`
}

/** A value for a sentence, without quotes. */
export function shown(text: string): string {
  // No more than twice the bound in units is ever looked at: a code point has at most two.
  const points = Array.from(text.slice(0, 2 * MAX_QUOTE_CODE_POINTS + 2))
  const short =
    points.length > MAX_QUOTE_CODE_POINTS ? `${points.slice(0, MAX_QUOTE_CODE_POINTS).join('')}…` : points.join('')
  return showInvisible(short).replaceAll(
    BLANK(),
    (character) => `\\u{${character.codePointAt(0)!.toString(16).toUpperCase()}}`,
  )
}

/** What looks like a space, and halves of a pair, which show as nothing. */
const BLANK = unicodeExpression(String.raw`(?! )\p{Zs}|\p{Cs}`, 'gu')

/** A rule as it stands in `allowed-tools`. */
export function ruleText({ tool, pattern }: ToolRule): string {
  return showInvisible(pattern === undefined ? tool : `${tool}(${pattern})`)
}

/** Rules for a sentence, the first twenty by name. */
export function listRules(rules: readonly ToolRule[]): string {
  const names = [...new Set(rules.map(ruleText))]
  const rest = names.length - MAX_RULES
  return [...names.slice(0, MAX_RULES).map(shown), ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ')
}
