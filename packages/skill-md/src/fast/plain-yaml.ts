/**
 * This folder makes scans fast: this reader of common frontmatter, and its repairs of values that lack quotes
 * (`mapping.ts`). Without it the results would be the same, only slower
 * and with more memory. Measured in microseconds per skill, for the first 1,000 and then in the steady state: the `yaml`
 * package 222 to 349 and 72 to 105, a reader such as this 17 to 22 and 4 to 7; importing `yaml`, in one file, takes
 * another 5 ms. Of 2,760 real files two need it.
 *
 * This file reads the common YAML of frontmatters exactly as the full reader does, in a tenth of its time and without
 * loading it: block mappings and lists, plain and quoted scalars of one or more lines, literal and folded blocks, flow
 * lists and mappings, comments. For anything else (tabs, anchors, tags, explicit keys, documents, unusual headers,
 * duplicate keys, nearly all that is invalid) it returns undefined, and the full reader decides. It must never be almost right,
 * because two readers that differ on one file would disagree about a skill. So every branch that is not certain returns
 * undefined, and tests compare both readers on real and on generated texts.
 */

import type { Fault } from '../diagnostics.ts'
import { type YamlEntry, type YamlList, type YamlMap, type YamlNode, unclosedQuote } from '../yaml/tree.ts'
import { readBlockScalar, isUnclosed, readQuoted } from './quoted-and-block-scalar.ts'
import {
  COLON,
  DASH,
  DOUBLE_QUOTE,
  endLine,
  HASH,
  isBlank,
  isBreak,
  nextContent,
  OPEN_LIST,
  OPEN_MAP,
  QUOTE,
  SPACE,
  type Cursor,
  hasDuplicate,
  isRefused,
  MAX_KEY_CHARS,
  SIMPLE_KEY,
} from './cursor.ts'
import { readFlow } from './flow.ts'
import { beginsPlain, lacksQuotes, readPlain, nextColon, readSimpleValue } from './plain-scalar.ts'

const MAX_DEPTH = 12
/** Below the full reader's limit by the tokens that lines with several colons could add. The count is an upper bound. */
const MAX_TOKENS = 3600

const LITERAL = 0x7c
const FOLDED = 0x3e
const DOT = 0x2e

/**
 * The tree; or the first line that the full reader would refuse, if its value only needs quotes; or the fault that the
 * full reader would report; or undefined, and the full reader decides.
 */
export type PlainYamlResult =
  | { readonly root: YamlMap }
  | { readonly faultLine: number }
  | { readonly fault: Fault }
  | undefined

/**
 * Reads one mapping of fields.
 * @param text without control characters other than tab and line ends
 * @param firstLine the file's line on which `text` begins, 1-based
 */
export function readPlainYaml(text: string, firstLine: number): PlainYamlResult {
  if (!text.endsWith('\n') || text.includes('\t') || /\r(?!\n)/.test(text)) return undefined
  const cursor: Cursor = {
    text,
    at: 0,
    line: firstLine,
    indent: 0,
    tokens: 4,
    colon: -1,
    comment: -1,
    faultLine: undefined,
    fault: undefined,
  }
  nextContent(cursor)
  if (cursor.indent !== 0) return undefined
  const root = readMap(cursor, 0, 0)
  if (root !== undefined) return isRead(cursor) ? { root } : undefined
  if (cursor.faultLine !== undefined) return { faultLine: cursor.faultLine }
  return cursor.fault === undefined || cursor.tokens > MAX_TOKENS ? undefined : { fault: cursor.fault }
}

function isRead({ indent, tokens }: Cursor): boolean {
  return indent === -1 && tokens <= MAX_TOKENS
}

/** Reads from a key at `column` up to content that is indented less. */
function readMap(cursor: Cursor, column: number, depth: number): YamlMap | undefined {
  if (depth > MAX_DEPTH) return undefined
  const { text, line } = cursor
  const entries: YamlEntry[] = []
  do {
    const { at, line: keyLine } = cursor
    const feed = text.indexOf('\n', at)
    const colon = cursor.colon < at ? nextColon(cursor, at) : cursor.colon
    // A key without a value on its line ends with the line.
    const end = colon < feed ? colon : feed - 1
    let key: string | undefined = text.slice(at, end)
    let value: YamlNode | undefined
    if (end - at <= MAX_KEY_CHARS && text.charCodeAt(end) === COLON && SIMPLE_KEY.test(key)) {
      cursor.tokens += 6
      if (end === colon) value = readSimpleValue(cursor, end + 2, feed, column)
      if (value === undefined) {
        cursor.at = end + 1
        value = readValue(cursor, column, depth, keyLine)
      }
    } else {
      key = readKey(cursor)
      if (key === undefined) return undefined
      value = readValue(cursor, column, depth, keyLine)
    }
    if (value === undefined) return undefined
    entries.push({ key, line: keyLine, value })
  } while (cursor.indent === column)
  return cursor.indent < column && !hasDuplicate(entries) ? { kind: 'map', line, entries } : undefined
}

/** Reads from a dash at `column` up to other content at this column or indented less. */
function readList(cursor: Cursor, column: number, depth: number): YamlList | undefined {
  if (depth > MAX_DEPTH) return undefined
  const { text, line } = cursor
  const items: YamlNode[] = []
  while (cursor.indent === column && isDash(cursor)) {
    const dashLine = cursor.line
    const dash = cursor.at
    cursor.tokens += 2
    if (text.charCodeAt(dash + 1) === SPACE) {
      const simple = readSimpleValue(cursor, dash + 2, text.indexOf('\n', dash), column)
      if (simple !== undefined) {
        items.push(simple)
        continue
      }
    }
    cursor.at = dash + 1
    while (text.charCodeAt(cursor.at) === SPACE) cursor.at++
    const code = text.charCodeAt(cursor.at)
    let item: YamlNode | undefined
    if (isBreak(code) || code === HASH) {
      item = readBelow(cursor, column, depth, dashLine)
    } else {
      cursor.indent = column + cursor.at - dash
      item = readNode(cursor, column, depth)
    }
    if (item === undefined) return undefined
    items.push(item)
  }
  return cursor.indent > column ? undefined : { kind: 'list', line, items }
}

/** Reads the value after a key's colon. */
function readValue(cursor: Cursor, column: number, depth: number, line: number): YamlNode | undefined {
  const { text } = cursor
  while (text.charCodeAt(cursor.at) === SPACE) cursor.at++
  const code = text.charCodeAt(cursor.at)
  if (!isBreak(code) && code !== HASH) return readScalarOrFlow(cursor, column)
  const value = readBelow(cursor, column, depth, line)
  // A list may be at the same column as its key.
  const isListBelow = value?.kind === 'scalar' && value.source === '' && cursor.indent === column && isDash(cursor)
  return isListBelow && value.plain ? readList(cursor, column, depth + 1) : value
}

/** Reads a node on the lines below, indented deeper than `column`; if there is none, returns null on `line`. */
function readBelow(cursor: Cursor, column: number, depth: number, line: number): YamlNode | undefined {
  // A comment needs a blank before it: move back to it.
  cursor.at--
  if (!isBlank(cursor.text.charCodeAt(cursor.at))) cursor.at++
  const before = cursor.line
  if (!endLine(cursor)) return undefined
  if (cursor.indent > column) {
    const isSeparated = cursor.line > before + 1
    const node = readNode(cursor, column, depth)
    // After a comment the full reader lets a plain scalar continue on lines that are indented less.
    return isSeparated && node?.kind === 'scalar' && node.plain ? undefined : node
  }
  return { kind: 'scalar', line, value: null, source: '', plain: true }
}

/** Reads a node of any kind that begins at `cursor.indent`, which is deeper than `parent`. */
function readNode(cursor: Cursor, parent: number, depth: number): YamlNode | undefined {
  if (isDash(cursor)) return readList(cursor, cursor.indent, depth + 1)
  if (startsKey(cursor)) return readMap(cursor, cursor.indent, depth + 1)
  return readScalarOrFlow(cursor, parent)
}

function readScalarOrFlow(cursor: Cursor, parent: number): YamlNode | undefined {
  const { text } = cursor
  const code = text.charCodeAt(cursor.at)
  cursor.tokens += 6
  if (code === LITERAL || code === FOLDED) return readBlockScalar(cursor, parent)
  let node: YamlNode | undefined
  if (code === DOUBLE_QUOTE || code === QUOTE) {
    const { line } = cursor
    if (isUnclosed(cursor)) cursor.fault = unclosedQuote(text[cursor.at]!, line)
    else node = readQuoted(cursor, parent)
  } else if (code === OPEN_LIST || code === OPEN_MAP) node = readFlow(cursor, parent, 0)
  else if (beginsPlain(text, cursor.at)) return readPlain(cursor, parent)
  else if (lacksQuotes(cursor)) cursor.faultLine = cursor.line
  return node !== undefined && endLine(cursor) ? node : undefined
}

/** Whether a key follows on the line. */
function startsKey(cursor: Cursor): boolean {
  const { text, at, line, tokens } = cursor
  const code = text.charCodeAt(at)
  if (code !== DOUBLE_QUOTE && code !== QUOTE) return beginsPlain(text, at) && findColon(text, at) !== -1
  const quoted = readQuoted(cursor, -1)
  const found = quoted !== undefined && cursor.line === line && text.charCodeAt(cursor.at) === COLON
  Object.assign(cursor, { at, line, tokens })
  return found
}

/** Reads a key and its colon, on one line. */
function readKey(cursor: Cursor): string | undefined {
  const { text, at, line } = cursor
  const code = text.charCodeAt(at)
  cursor.tokens += 6
  if (code === DOUBLE_QUOTE || code === QUOTE) {
    const quoted = readQuoted(cursor, -1)
    if (quoted === undefined || cursor.line !== line || text.charCodeAt(cursor.at) !== COLON) return undefined
    cursor.at++
    if (cursor.at - at > MAX_KEY_CHARS || !isBlank(text.charCodeAt(cursor.at))) return undefined
    return isRefused(quoted.source) ? undefined : quoted.source
  }
  if (!beginsPlain(text, at) || code === DASH || code === DOT) return undefined
  const colon = findColon(text, at)
  if (colon === -1 || colon - at > MAX_KEY_CHARS || text.charCodeAt(colon - 1) === SPACE) return undefined
  cursor.at = colon + 1
  const key = text.slice(at, colon)
  return isRefused(key) ? undefined : key
}

/** Returns the position of the colon that ends a plain key; -1 if the line holds none. */
function findColon(text: string, from: number): number {
  const line = text.slice(from, text.indexOf('\n', from) + 1)
  let colon = line.indexOf(':')
  while (colon !== -1 && !isBlank(line.charCodeAt(colon + 1))) colon = line.indexOf(':', colon + 1)
  return colon === -1 || line.slice(0, colon).includes(' #') ? -1 : from + colon
}

function isDash({ text, at }: Cursor): boolean {
  return text.charCodeAt(at) === DASH && isBlank(text.charCodeAt(at + 1))
}
