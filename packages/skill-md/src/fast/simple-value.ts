/** The fast path for simple values of the exact reader; see `plain-yaml.ts`. */

import { resolvePlain } from '../yaml/core-schema.ts'
import {
  CARRIAGE_RETURN,
  COLON,
  DOUBLE_QUOTE,
  HASH,
  nextContent,
  OPEN_LIST,
  QUOTE,
  SPACE,
  type Cursor,
} from './cursor.ts'
import { plainScalar } from './plain-scalar.ts'
import type { YamlNode } from '../yaml/tree.ts'

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
