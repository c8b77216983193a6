/** Flow lists and mappings of the exact reader, JSON among them; see `plain-yaml.ts`. */

import type { YamlEntry, YamlNode, YamlScalar } from '../yaml/tree.ts'
import {
  CLOSE_LIST,
  CLOSE_MAP,
  COLON,
  COMMA,
  DASH,
  DOUBLE_QUOTE,
  HASH,
  isBlank,
  isBreak,
  OPEN_LIST,
  OPEN_MAP,
  QUESTION,
  QUOTE,
  SPACE,
  type Cursor,
  hasDuplicate,
  isRefused,
  MAX_KEY_CHARS,
} from './cursor.ts'
import { beginsPlain, plainScalar } from './plain-scalar.ts'
import { readQuoted } from './quoted-and-block-scalar.ts'

/** Added to the levels of blocks and the colons of repaired values, it stays below the full reader's limit. */
const MAX_DEPTH = 11

/**
 * Reads a flow list or mapping, including its closing bracket.
 * @param parent every line must be indented deeper than this column, except one with the last bracket
 */
export function readFlow(cursor: Cursor, parent: number, depth: number): YamlNode | undefined {
  if (depth > MAX_DEPTH) return undefined
  const { text, line } = cursor
  const isMap = text.charCodeAt(cursor.at) === OPEN_MAP
  const close = isMap ? CLOSE_MAP : CLOSE_LIST
  const items: YamlNode[] = []
  const entries: YamlEntry[] = []
  cursor.at++
  for (;;) {
    let code = skipBlanks(cursor, parent, depth === 0)
    if (code === -1) return undefined
    if (code !== close) {
      if (isMap) {
        const entry = readEntry(cursor, parent, depth)
        if (entry === undefined) return undefined
        entries.push(entry)
      } else {
        const item = readItem(cursor, parent, depth)
        if (item === undefined) return undefined
        items.push(item)
      }
      code = skipBlanks(cursor, parent, depth === 0)
    }
    cursor.at++
    if (code === close) break
    if (code !== COMMA) return undefined
  }
  if (!isMap) return { kind: 'list', line, items }
  return hasDuplicate(entries) ? undefined : { kind: 'map', line, entries }
}

/**
 * Skips blanks, line breaks and comments and returns the next character code; -1 if a line is not indented enough. A
 * comment needs a space before it: whether a line break is enough depends on the lines above.
 */
function skipBlanks(cursor: Cursor, parent: number, outermost: boolean): number {
  const { text } = cursor
  let at = cursor.at
  let lineStart = -1
  let code = text.charCodeAt(at)
  for (;;) {
    if (code === SPACE) at++
    else if (isBreak(code) || (code === HASH && text.charCodeAt(at - 1) === SPACE)) {
      lineStart = at = text.indexOf('\n', at) + 1
      cursor.line++
      cursor.tokens += 4
    } else break
    code = text.charCodeAt(at)
  }
  cursor.at = at
  if (lineStart === -1) return code
  const indent = at - lineStart
  const closes = outermost && indent === parent && (code === CLOSE_LIST || code === CLOSE_MAP)
  return indent > parent || closes ? code : -1
}

function readItem(cursor: Cursor, parent: number, depth: number): YamlNode | undefined {
  cursor.tokens += 6
  const code = cursor.text.charCodeAt(cursor.at)
  if (code === OPEN_LIST || code === OPEN_MAP) return readFlow(cursor, parent, depth + 1)
  return code === DOUBLE_QUOTE || code === QUOTE ? readQuoted(cursor, parent) : readFlowPlain(cursor)
}

/** Reads `key: value` or `"key":value`. Returns undefined for a key without a value or a value without a key. */
function readEntry(cursor: Cursor, parent: number, depth: number): YamlEntry | undefined {
  const { text, line } = cursor
  const code = text.charCodeAt(cursor.at)
  const quoted = code === DOUBLE_QUOTE || code === QUOTE
  const key = quoted ? readQuoted(cursor, parent) : readFlowPlain(cursor)
  if (key === undefined || cursor.line !== line || key.source.length > MAX_KEY_CHARS || isRefused(key.source))
    return undefined
  if (text.charCodeAt(cursor.at) !== COLON || !(quoted || isBlank(text.charCodeAt(cursor.at + 1)))) return undefined
  cursor.at++
  cursor.tokens += 6
  if (skipBlanks(cursor, parent, false) === -1) return undefined
  const value = readItem(cursor, parent, depth)
  return value && { key: key.source, line, value }
}

/**
 * An item whose only error is that it begins with `@` or a backtick and needs quotes, up to the end of the list and its
 * line. If the line holds anything else, the full reader may report another error first.
 */
const LACKS_QUOTES = /[@`][^[\]{}"'&*!#:|>?\r\n]*\] *\r?\n/y

/** Reads a plain scalar within one line. */
function readFlowPlain(cursor: Cursor): YamlScalar | undefined {
  const { text, at: start } = cursor
  // Before a bracket or a comma, `-`, `:` and `?` are indicators, as they are before a blank.
  const first = text.charCodeAt(start)
  if (!beginsPlain(text, start) || (isIndicator(first) && isFlowIndicator(text.charCodeAt(start + 1)))) {
    LACKS_QUOTES.lastIndex = start
    if (LACKS_QUOTES.test(text)) cursor.faultLine = cursor.line
    return undefined
  }
  let at = start
  let end = start
  for (; ; at++) {
    const code = text.charCodeAt(at)
    if (code === SPACE) {
      if (text.charCodeAt(at + 1) === HASH) break
    } else if (isBreak(code) || isFlowIndicator(code)) break
    else if (code === COLON && (isBlank(text.charCodeAt(at + 1)) || isFlowIndicator(text.charCodeAt(at + 1)))) break
    else end = at + 1
  }
  if (end === start) return undefined
  cursor.at = end
  return plainScalar(text.slice(start, end), cursor.line)
}

function isIndicator(code: number): boolean {
  return code === DASH || code === COLON || code === QUESTION
}

function isFlowIndicator(code: number): boolean {
  return code === COMMA || code === OPEN_LIST || code === CLOSE_LIST || code === OPEN_MAP || code === CLOSE_MAP
}
