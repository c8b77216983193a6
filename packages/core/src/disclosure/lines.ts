import type { TokenCounter } from '@repertoire/skill-md/internal'
import { isBlank } from '../text/blank.ts'

/**
 * Returns a counter for texts that have most of their lines in common, where the tokens of lines add up to those of the
 * whole: each line is counted once. A line ends where no other white space follows its break, since a counter takes
 * white space in a row as one.
 * @param counted where the tokens of lines are kept
 * @param known the tokens of lines that were counted elsewhere. Default: none
 */
export function byLines(
  countTokens: TokenCounter,
  counted = new Map<string, number>(),
  known: ReadonlyMap<string, number> = counted,
): TokenCounter {
  const tokensOf = (line: string): number => {
    const before = known.get(line) ?? counted.get(line)
    if (before !== undefined) return before
    const tokens = countTokens(line)
    counted.set(line, tokens)
    return tokens
  }
  return (text) => {
    let tokens = 0
    let start = 0
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
      if (at + 1 === text.length || isBlank(text.charCodeAt(at + 1))) continue
      tokens += tokensOf(text.slice(start, at + 1))
      start = at + 1
    }
    return tokens + tokensOf(text.slice(start))
  }
}
