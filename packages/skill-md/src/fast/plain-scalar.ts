/** Plain scalars of the exact reader; see `plain-yaml.ts`. */

import { resolvePlain, type YamlNode, type YamlScalar } from '../yaml/tree.ts'
import {
  CARRIAGE_RETURN,
  COLON,
  type Cursor,
  DASH,
  DOUBLE_QUOTE,
  HASH,
  isBlank,
  isBreak,
  nextContent,
  OPEN_LIST,
  QUESTION,
  QUOTE,
  SPACE,
} from './cursor.ts'

/** Characters that no plain scalar may begin with. */
const NOT_PLAIN = new Set(Array.from('#"\'[]{}>|*&!%@`,\uFEFF', (character) => character.charCodeAt(0)))
/** Reserved characters, with which no YAML value may begin: such a value needs quotes. */
const RESERVED = new Set(Array.from('%@`,', (character) => character.charCodeAt(0)))

/** Whether a plain scalar may begin here: after `-`, `:` or `?` a character other than a blank must follow. */
export function beginsPlain(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code === DASH || code === COLON || code === QUESTION) return !isBlank(text.charCodeAt(at + 1))
  return !NOT_PLAIN.has(code)
}

/** Whether the only error in the rest of the line is that its first character needs quotes. */
export function lacksQuotes({ text, at }: Cursor): boolean {
  if (!RESERVED.has(text.charCodeAt(at))) return false
  const piece = readPiece(text, at, text.indexOf('\n', at))
  return piece !== undefined && !isCommented(text, at + piece.length)
}

export function plainScalar(source: string, line: number): YamlScalar {
  return { kind: 'scalar', line, value: resolvePlain(source), source, plain: true }
}

/**
 * Reads a plain scalar of one or more lines in a block, up to the next content.
 * @param parent a continuation line must be indented deeper than this column
 */
export function readPlain(cursor: Cursor, parent: number): YamlScalar | undefined {
  const { text, line, at: start } = cursor
  let source = ''
  let breaks = 0
  for (let lineStart = start; ;) {
    const feed = text.indexOf('\n', lineStart)
    const piece = readPiece(text, lineStart, feed)
    if (piece === undefined) {
      if (lineStart === start && needsOnlyQuotes(text, start)) cursor.faultLine = line
      return undefined
    }
    source = breaks === 0 ? piece : source + (breaks === 1 ? ' ' : '\n'.repeat(breaks - 1)) + piece
    cursor.at = feed + 1
    cursor.line++
    cursor.tokens += 4
    if (isCommented(text, lineStart + piece.length)) break
    // Look ahead to the next content without moving: a comment or less indentation ends the scalar.
    breaks = 1
    for (let next = cursor.at; ; breaks++) {
      lineStart = next
      while (text.charCodeAt(lineStart) === SPACE) lineStart++
      const code = text.charCodeAt(lineStart)
      if (!isBreak(code)) {
        if (lineStart - next <= parent || code === HASH || lineStart === text.length) breaks = 0
        break
      }
      next = text.indexOf('\n', lineStart) + 1
    }
    if (breaks === 0) break
    cursor.line += breaks - 1
  }
  nextContent(cursor)
  return plainScalar(source, line)
}

/**
 * Returns one line of a plain scalar without a comment and trailing blanks; undefined if it holds a colon that ends a
 * key. String searches are as good as a loop over the characters, and fast from the first call on.
 */
function readPiece(text: string, start: number, feed: number): string | undefined {
  const whole = text.slice(start, text.charCodeAt(feed - 1) === CARRIAGE_RETURN ? feed - 1 : feed)
  const comment = whole.indexOf(' #')
  let end = comment === -1 ? whole.length : comment
  while (end > 0 && whole.charCodeAt(end - 1) === SPACE) end--
  const piece = end === whole.length ? whole : whole.slice(0, end)
  return piece.includes(': ') || piece.charCodeAt(end - 1) === COLON ? undefined : piece
}

/** Whether blanks and a comment follow. */
function isCommented(text: string, end: number): boolean {
  let at = end
  while (text.charCodeAt(at) === SPACE) at++
  return at > end && text.charCodeAt(at) === HASH
}

/** Characters that can only begin a word, a path or a remark in parentheses. */
const TEXT_START = /[\w($/.\u00C0-\u024F\u0370-\u03FF\u0400-\u04FF\u3040-\uD7A3]/

/**
 * Whether a word follows every `: ` in the rest of the line. Then they are the line's only errors, and this line is the
 * first one that the full reader would report.
 */
function needsOnlyQuotes(text: string, colon: number): boolean {
  for (let at = colon; ; at++) {
    const code = text.charCodeAt(at)
    if (isBreak(code)) return true
    if (code === SPACE) {
      if (text.charCodeAt(at + 1) === HASH) return false
    } else if (code === COLON && isBlank(text.charCodeAt(at + 1))) {
      let next = at + 1
      while (text.charCodeAt(next) === SPACE) next++
      if (!TEXT_START.test(text[next]!)) return false
    }
  }
}

/** `[word, another]` */
const SIMPLE_LIST = /^\[[A-Za-z0-9][\w-]*(?:, [A-Za-z0-9][\w-]*)*\]$/

/**
 * Reads `text`, `"text"` or `[a, b]` if it is alone on the rest of its line and needs no further parsing, and moves to
 * the next content. Most values are like this: without this path, the first 1,000 frontmatters take more than twice as
 * long to read. For any other value it returns undefined and does not move.
 * @param from where the value begins
 * @param feed where its line ends
 * @param column if the next content is indented deeper than this column, the value continues there
 */
export function readSimpleValue(cursor: Cursor, from: number, feed: number, column: number): YamlNode | undefined {
  const { text, line, tokens } = cursor
  const first = text.charCodeAt(from)
  const letter = first | 0x20
  let node: YamlNode
  if ((letter >= 0x61 && letter <= 0x7a) || (first >= 0x30 && first <= 0x39)) {
    const last = text.charCodeAt(feed - 1)
    if (last === COLON || last === SPACE || last === CARRIAGE_RETURN) return undefined
    if (nextColon(cursor, from) < feed) return undefined
    if (cursor.comment < feed && nextComment(cursor, from) < feed) return undefined
    const source = text.slice(from, feed)
    // Among values that are not text, null, true and false begin with these letters, and numbers with a digit.
    const mayBeTyped = letter === 0x6e || letter === 0x74 || letter === 0x66 || first <= 0x39
    node = { kind: 'scalar', line, value: mayBeTyped ? resolvePlain(source) : source, source, plain: true }
    cursor.tokens = tokens + 10
  } else if (first === DOUBLE_QUOTE || first === QUOTE) {
    if (text.indexOf(first === QUOTE ? "'" : '"', from + 1) !== feed - 1) return undefined
    const value = text.slice(from + 1, feed - 1)
    if (first === DOUBLE_QUOTE && value.includes('\\')) return undefined
    node = { kind: 'scalar', line, value, source: value, plain: false }
    cursor.tokens = tokens + 10
  } else if (first === OPEN_LIST) {
    const source = text.slice(from, feed)
    if (!SIMPLE_LIST.test(source)) return undefined
    const items = source.slice(1, -1).split(', ')
    node = { kind: 'list', line, items: items.map((item) => plainScalar(item, line)) }
    cursor.tokens = tokens + 10 + 6 * items.length
  } else return undefined

  const start = feed + 1
  cursor.line = line + 1
  cursor.at = start
  // Mostly there is no next line, or its content begins at the first column.
  const next = start < text.length ? text.charCodeAt(start) : -1
  if (next === -1 || (next !== HASH && next > SPACE)) {
    cursor.indent = next === -1 ? -1 : 0
    return node
  }
  nextContent(cursor)
  if (cursor.indent <= column) return node
  // The value continues on the next lines: move back.
  cursor.at = from
  cursor.line = line
  cursor.tokens = tokens
  cursor.indent = column
  return undefined
}

/**
 * Returns the position of the first `: ` at or after `at`; the text's length if there is none. It is kept in the cursor,
 * because the one found while reading a value is mostly the one after the next key.
 */
export function nextColon(cursor: Cursor, at: number): number {
  if (cursor.colon < at) {
    const colon = cursor.text.indexOf(': ', at)
    cursor.colon = colon === -1 ? cursor.text.length : colon
  }
  return cursor.colon
}

/** Returns the position of the first ` #` at or after `at`; the text's length if there is none. */
function nextComment(cursor: Cursor, at: number): number {
  if (cursor.comment < at) {
    const comment = cursor.text.indexOf(' #', at)
    cursor.comment = comment === -1 ? cursor.text.length : comment
  }
  return cursor.comment
}
