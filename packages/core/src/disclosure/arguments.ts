/** Characters that placeholders are filled with at the most, all together; those after that stay as they stand. */
const MAX_FILLED_CHARS = 1_000_000

/**
 * `$ARGUMENTS`, `$ARGUMENTS[0]`, `$1` to `$99`, each with a backslash before it or none. Skills are full of amounts of
 * money, so `$5K` and `$1.50` are no placeholders.
 */
const PLACEHOLDER = /\\?\$(?:(ARGUMENTS)(?:\[(\d+)\]|(?![A-Za-z0-9_]))|([1-9]\d?)(?![A-Za-z0-9_]|[.,]\d))/g

/**
 * A skill's body with what is passed to it in place: `$ARGUMENTS` is the whole text, `$1` to `$99` are its words,
 * `$ARGUMENTS[0]` is the first of them too. A backslash before one of these keeps it as it is. Where none is filled,
 * the text is appended as the last line, `ARGUMENTS: …`. Code blocks are no exception.
 *
 * A word that is missing leaves `$ARGUMENTS[7]` empty, and `$7` as it stands, with its backslash if it has one: that is
 * as likely an amount of money or a variable of some shell.
 *
 * Nothing is evaluated, and what was put in is not looked at again.
 * @param args undefined or empty: nothing is passed, and nothing appended
 */
export function applyArguments(body: string, args: string | undefined): string {
  const text = args ?? ''
  if (text === '' && !body.includes('$')) return body
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
  if (isNamed || text === '') return filled
  return `${filled}${filled === '' ? '' : filled.endsWith('\n') ? '\n' : '\n\n'}ARGUMENTS: ${text}`
}

/**
 * The words of a text. Quotes group them as in a shell, and a backslash keeps a quote, a blank or a backslash as it is;
 * nothing is expanded. Total: a quote that is not closed, and a backslash before anything else, stand for themselves.
 */
export function splitWords(text: string): readonly string[] {
  const words: string[] = []
  for (const [written] of text.matchAll(/(?:\\[\s\S]|"(?:\\[\s\S]|[^"\\])*"|'[^']*'|\S)+/g)) {
    words.push(written.replace(/\\([\s"'\\])|"((?:\\[\s\S]|[^"\\])*)"|'([^']*)'/g, unquoted))
  }
  return words
}

function unquoted(written: string, kept?: string, double?: string, single?: string): string {
  return kept ?? double?.replace(/\\(["\\])/g, '$1') ?? single ?? written
}
