export const SPACE = 0x20
const LINE_FEED = 0x0a
export const CARRIAGE_RETURN = 0x0d
export const HASH = 0x23
export const DASH = 0x2d
export const COLON = 0x3a
export const COMMA = 0x2c
export const QUESTION = 0x3f
export const QUOTE = 0x27
export const DOUBLE_QUOTE = 0x22
export const BACKSLASH = 0x5c
export const OPEN_LIST = 0x5b
export const CLOSE_LIST = 0x5d
export const OPEN_MAP = 0x7b
export const CLOSE_MAP = 0x7d

/**
 * How far a text has been read. The text holds no tab, a carriage return only before a line feed, and ends with a line
 * feed, so that no loop that stops at a line's end can leave it.
 */
export interface Cursor {
  readonly text: string
  at: number
  /** The file's line of `at`, 1-based. */
  line: number
  /** The column of the content that `at` stands before, after `nextContent`; -1 at the end. */
  indent: number
  /** At least as many as the tokens that the full reader would count. */
  tokens: number
  /** Where `: ` was found last: there is none from where the search began up to here. -1 before the first search. */
  colon: number
  /** The same of ` #`. */
  comment: number
  /** The line of a value that would be text in quotes, where the lack of these is all that is wrong with it. */
  faultLine: number | undefined
}

export function isBreak(code: number): boolean {
  return code === LINE_FEED || code === CARRIAGE_RETURN
}

export function isBlank(code: number): boolean {
  return code === SPACE || code === LINE_FEED || code === CARRIAGE_RETURN
}

/** From the beginning of a line to the next content, over blank lines and comments. */
export function nextContent(cursor: Cursor): void {
  const { text } = cursor
  let at = cursor.at
  // A look behind the end would make the engine give up the code that it has made for looks into the text.
  while (at < text.length) {
    const start = at
    while (text.charCodeAt(at) === SPACE) at++
    const code = text.charCodeAt(at)
    if (code !== LINE_FEED && code !== CARRIAGE_RETURN && code !== HASH) {
      cursor.at = at
      cursor.indent = at - start
      return
    }
    at = code === LINE_FEED ? at + 1 : text.indexOf('\n', at) + 1
    cursor.line++
    cursor.tokens += 4
  }
  cursor.at = at
  cursor.indent = -1
}

/** Leaves a line on which only blanks or a comment may follow, and goes to the next content; false where more does. */
export function endLine(cursor: Cursor): boolean {
  const { text } = cursor
  let at = cursor.at
  while (text.charCodeAt(at) === SPACE) at++
  const code = text.charCodeAt(at)
  if (code === LINE_FEED) at++
  else if (code === CARRIAGE_RETURN) at += 2
  else if (code === HASH && at > cursor.at) at = text.indexOf('\n', at) + 1
  else return false
  cursor.at = at
  cursor.line++
  cursor.tokens += 4
  nextContent(cursor)
  return true
}
