/** The most characters that all placeholders together are filled with; later placeholders stay unchanged. */
const MAX_FILLED_CHARS = 1_000_000

/**
 * `$ARGUMENTS`, `$ARGUMENTS[0]`, `$1` to `$99`, each optionally after a backslash. Skills often name amounts of money, so
 * `$5K` and `$1.50` are not placeholders.
 */
const PLACEHOLDER = /\\?\$(?:(ARGUMENTS)(?:\[(\d+)\]|(?![A-Za-z0-9_]))|([1-9]\d?)(?![A-Za-z0-9_]|[.,]\d))/g

/**
 * Returns a skill's body with its arguments filled in: `$ARGUMENTS` is the whole text, `$1` to `$99` are its words, and
 * `$ARGUMENTS[0]` is the first word too. A backslash before a placeholder keeps it unfilled. If no placeholder is filled,
 * the text is appended as the last line, `ARGUMENTS: …`. Placeholders in code blocks are filled as well.
 *
 * If a word is missing, `$ARGUMENTS[7]` becomes empty, and `$7` stays unchanged with its backslash, if any: it may be an
 * amount of money or a shell variable.
 *
 * Nothing is evaluated, and inserted text is not searched for placeholders.
 * @param args undefined or empty: no arguments, and nothing is appended
 */
export function applyArguments(body: string, args: string | undefined): string {
  const text = args ?? ''
  if (text === '' && !body.includes('$')) return body
  const { filled, isNamed } = fillPlaceholders(body, text)
  if (isNamed || text === '') return filled
  return `${filled}${filled === '' ? '' : filled.endsWith('\n') ? '\n' : '\n\n'}ARGUMENTS: ${text}`
}

function fillPlaceholders(body: string, text: string): { readonly filled: string; readonly isNamed: boolean } {
  const words = splitWords(text)
  let room = MAX_FILLED_CHARS
  let isNamed = false
  const filled = body.replace(PLACEHOLDER, (written, whole?: string, index?: string, position?: string) => {
    const value = whole === undefined ? words[Number(position) - 1] : index === undefined ? text : words[Number(index)]
    if (value === undefined && whole === undefined) return written
    if (written.startsWith('\\')) return written.slice(1)
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
