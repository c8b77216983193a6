/** Values that need no closer look, for the exact reader; see `plain-yaml.ts`. */

import { resolvePlain } from '../yaml/core-schema.ts'
import { CARRIAGE_RETURN, COLON, DOUBLE_QUOTE, HASH, nextContent, OPEN_LIST, QUOTE, SPACE } from './cursor.ts'
import type { Cursor } from './cursor.ts'
import { plainScalar } from './plain-scalar.ts'
import type { YamlNode } from '../yaml/tree.ts'

/** `[word, another]` */
const SIMPLE_LIST = /^\[[A-Za-z0-9][\w-]*(?:, [A-Za-z0-9][\w-]*)*\]$/

/**
 * Reads `text`, `"text"` or `[a, b]`, alone in the rest of its line and with nothing in it that needs a closer look, and
 * goes to the next content. Most values are such. A program that has just begun runs none of its code fast, so that
 * here a few searches of the engine do the work. Where it is another value, nothing is read.
 * @param from where the value begins
 * @param feed where its line ends
 * @param column what the next content must not be right of, for then the value goes on
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
    // Of what is no text, null, true and false begin with these letters, and numbers with a digit.
    const mayMean = letter === 0x6e || letter === 0x74 || letter === 0x66 || first <= 0x39
    node = { kind: 'scalar', line, value: mayMean ? resolvePlain(source) : source, source, plain: true }
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
  // Most often there is no next line, or it has content at the margin.
  const next = start < text.length ? text.charCodeAt(start) : -1
  if (next === -1 || (next !== HASH && next > SPACE)) {
    cursor.indent = next === -1 ? -1 : 0
    return node
  }
  nextContent(cursor)
  if (cursor.indent <= column) return node
  // The value goes on.
  cursor.at = from
  cursor.line = line
  cursor.tokens = tokens
  cursor.indent = column
  return undefined
}

/**
 * Where the first `: ` at or behind `at` stands; the text's length where there is none. It is kept, because the one
 * that a value was searched for is found behind the next key.
 */
export function nextColon(cursor: Cursor, at: number): number {
  if (cursor.colon < at) {
    const colon = cursor.text.indexOf(': ', at)
    cursor.colon = colon === -1 ? cursor.text.length : colon
  }
  return cursor.colon
}

/** Where the first ` #` at or behind `at` stands. */
function nextComment(cursor: Cursor, at: number): number {
  if (cursor.comment < at) {
    const comment = cursor.text.indexOf(' #', at)
    cursor.comment = comment === -1 ? cursor.text.length : comment
  }
  return cursor.comment
}
