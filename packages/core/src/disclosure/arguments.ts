/** The most characters that all placeholders together are filled with; later placeholders stay unchanged. */
const MAX_FILLED_CHARS = 1_000_000

export interface Placeholders {
  /** The names of the arguments, in their order. */
  readonly names?: readonly string[] | undefined
  /** The skill's folder, as a model can use it. Absent: its placeholders stay. */
  readonly folder?: string | undefined
}

/** How skills write their own folder. */
export const FOLDER_PLACEHOLDER = /\$\{CLAUDE_SKILL_DIR\}|\{baseDir\}/g

/**
 * `$ARGUMENTS`, `$ARGUMENTS[0]`, `$1` to `$99`, `$name` and the skill's folder, each optionally after a backslash.
 * Skills often name amounts of money, so `$5K` and `$1.50` are not placeholders.
 */
function placeholder(names: readonly string[]): RegExp {
  const word = names.length === 0 ? '' : `|(?<name>${names.join('|')})(?![A-Za-z0-9_])`
  const argument = String.raw`\$(?:(?<whole>ARGUMENTS)(?:\[(?<index>\d+)\]|(?![A-Za-z0-9_]))|(?<position>[1-9]\d?)(?![A-Za-z0-9_]|[.,]\d)${word})`
  return new RegExp(String.raw`\\?(?:${argument}|(?<folder>${FOLDER_PLACEHOLDER.source}))`, 'g')
}

/**
 * Returns a skill's body with its arguments filled in: `$ARGUMENTS` is the whole text, `$1` to `$99` are its words, and
 * `$ARGUMENTS[0]` is the first word too; `$name` is the word at the place of a name. `${CLAUDE_SKILL_DIR}` and
 * `{baseDir}` are the skill's folder. A backslash before a placeholder keeps it unfilled and goes away. If no
 * placeholder of an argument is filled, the text is appended as the last line, `ARGUMENTS: …`. Code blocks are filled
 * as well.
 *
 * If a word is missing, `$ARGUMENTS[7]` and `$name` become empty, and `$7` stays unchanged: it may be an amount of
 * money or a shell variable.
 *
 * Nothing is evaluated, and inserted text is not searched for placeholders.
 * @param text the arguments. Empty: there are none, and nothing is appended
 */
export function applyArguments(body: string, text = '', placeholders: Placeholders = {}): string {
  const { filled, isNamed } = fillPlaceholders(body, text, placeholders)
  if (isNamed || text === '') return filled
  return `${filled.trimEnd()}\n\nARGUMENTS: ${text}`
}

function fillPlaceholders(
  body: string,
  text: string,
  { names = [], folder }: Placeholders,
): { readonly filled: string; readonly isNamed: boolean } {
  const words = splitWords(text)
  let room = MAX_FILLED_CHARS
  let isNamed = false
  const filled = body.replace(placeholder(names), (written: string, ...rest: unknown[]) => {
    if (written.startsWith('\\')) return written.slice(1)
    const groups = rest.at(-1) as Readonly<Record<string, string | undefined>>
    if (groups['folder'] !== undefined) return folder ?? written
    const { whole, index, position, name } = groups
    const place = position === undefined ? (name === undefined ? index : names.indexOf(name)) : Number(position) - 1
    const value = whole !== undefined && index === undefined ? text : words[Number(place)]
    if (value === undefined && position !== undefined) return written
    const word = value ?? ''
    if (word.length > room) return written
    room -= word.length
    isNamed = true
    return word
  })
  return { filled, isNamed }
}

/**
 * Splits a text into words. Quotes group them as in a shell, and a backslash escapes a quote, a blank or a backslash;
 * nothing is expanded. Never fails: an unclosed quote, and a backslash before any other character, are kept as text.
 */
export function splitWords(text: string): readonly string[] {
  const words: string[] = []
  for (const [written] of text.matchAll(/(?:\\[\s\S]|"(?:\\[\s\S]|[^"\\])*"|'[^']*'|\S)+/g)) {
    words.push(written.replace(/\\([\s"'\\])|"((?:\\[\s\S]|[^"\\])*)"|'([^']*)'/g, unquoted))
  }
  return words
}

function unquoted(written: string, escaped?: string, double?: string, single?: string): string {
  return escaped ?? double?.replace(/\\(["\\])/g, '$1') ?? single ?? written
}
