import type { TokenCounter } from '../ports/tokens.ts'

/**
 * Returns a counter for texts that have most of their lines in common, where the tokens of lines add up to those of the
 * whole: each line is counted once. A line ends where no other white space is beside its break, since a counter takes
 * white space in a row as one.
 */
export function byLines(countTokens: TokenCounter): TokenCounter {
  const known = new Map<string, number>()
  const tokensOf = (line: string): number => {
    const tokens = known.get(line) ?? countTokens(line)
    known.set(line, tokens)
    return tokens
  }
  return (text) => {
    let tokens = 0
    let start = 0
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
      if (at === 0 || at + 1 === text.length || isBlank(text[at - 1]!) || isBlank(text[at + 1]!)) continue
      tokens += tokensOf(text.slice(start, at + 1))
      start = at + 1
    }
    return tokens + tokensOf(text.slice(start))
  }
}

function isBlank(character: string): boolean {
  return /\s/.test(character)
}
