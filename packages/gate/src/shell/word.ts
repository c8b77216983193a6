/** One word of a command as its program would get it, or a clause that says why that is not certain. */
export type LiteralWord = { readonly value: string } | { readonly problem: string }

const EXPANSION = 'holds an expansion ("$" or a backtick)'
const HISTORY = 'holds "!" outside single quotes'
const CONTINUATION = 'holds a line continuation'
const UNCLOSED = 'has an unclosed quote or a backslash at its end'

/** Special outside quotes anywhere in a word. What would end a word is among them for a second opinion. */
const SPECIAL: ReadonlyMap<string, string> = new Map([
  ...each('$`', EXPANSION),
  ...each('*?[', 'holds a file pattern outside quotes'),
  ...each('{}', 'holds braces outside quotes'),
  ...each('!', HISTORY),
  ...each(';&|<>()', 'is a compound command, or redirects'),
])

/**
 * Reads a word as written, with its quotes. Only what bash, sh and zsh all take for the same text is a literal word:
 * plain characters, backslash escapes, single quotes, and double quotes without `$` and backticks. Beyond what bash
 * expands, `!` counts as special (an interactive shell replaces it from its history) and so does a leading `=` (zsh).
 * A `~` is special where it is expanded: at the beginning, and after `=` or `:`.
 */
export function literalWord(raw: string): LiteralWord {
  // `{}` is the one word with braces that no shell expands, and that `find` needs.
  if (raw === '{}') return { value: raw }
  let value = ''
  let at = 0
  while (at < raw.length) {
    const character = raw[at]!
    const quoted = character === "'" ? single(raw, at) : character === '"' ? double(raw, at) : plain(raw, at)
    if ('problem' in quoted) return quoted
    value += quoted.value
    at = quoted.end
  }
  return { value }
}

type Piece = { readonly value: string; readonly end: number } | { readonly problem: string }

function plain(raw: string, at: number): Piece {
  const character = String.fromCodePoint(raw.codePointAt(at)!)
  if (character === '\\') {
    if (at + 1 === raw.length) return { problem: UNCLOSED }
    const escaped = String.fromCodePoint(raw.codePointAt(at + 1)!)
    return escaped === '\n' ? { problem: CONTINUATION } : { value: escaped, end: at + 1 + escaped.length }
  }
  const special = SPECIAL.get(character)
  if (special !== undefined) return { problem: special }
  if (character === '~' && (at === 0 || '=:'.includes(raw[at - 1]!)))
    return { problem: 'holds a "~" that a shell expands' }
  if (character === '=' && at === 0) return { problem: 'has a word that begins with "="' }
  if (character === '#' && at === 0) return { problem: 'holds a comment' }
  // Blanks that are none to bash may be some to another shell.
  if (/\p{Z}|\p{C}/u.test(character)) return { problem: 'holds a blank or an unseen character outside quotes' }
  return { value: character, end: at + character.length }
}

function single(raw: string, at: number): Piece {
  const end = raw.indexOf("'", at + 1)
  return end < 0 ? { problem: UNCLOSED } : { value: raw.slice(at + 1, end), end: end + 1 }
}

function double(raw: string, start: number): Piece {
  let value = ''
  for (let at = start + 1; at < raw.length; at++) {
    const character = raw[at]!
    if (character === '"') return { value, end: at + 1 }
    if (character === '$' || character === '`') return { problem: EXPANSION }
    // History is left alone before a blank, "=" and the closing quote.
    if (character === '!' && !' \t\n="'.includes(raw[at + 1] ?? '')) return { problem: HISTORY }
    if (character !== '\\') value += character
    else {
      const escaped = raw[++at]
      if (escaped === undefined) return { problem: UNCLOSED }
      if (escaped === '\n') return { problem: CONTINUATION }
      value += '$`"\\'.includes(escaped) ? escaped : `\\${escaped}`
      // A backslash does not keep the history away inside double quotes, and stays in the text.
      if (escaped === '!') return { problem: HISTORY }
    }
  }
  return { problem: UNCLOSED }
}

function each(characters: string, problem: string): (readonly [string, string])[] {
  return Array.from(characters).map((character) => [character, problem] as const)
}
