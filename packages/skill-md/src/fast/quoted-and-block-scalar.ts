/** Quoted, literal and folded scalars of the exact reader; see `plain-yaml.ts`. */

import type { YamlScalar } from '../yaml/tree.ts'
import { BACKSLASH, CARRIAGE_RETURN, type Cursor, DASH, HASH, isBreak, nextContent, QUOTE, SPACE } from './cursor.ts'

/**
 * Whether no quote follows that could close the one at the cursor, and so no other error comes before that one: none of
 * an escape, as there is no backslash.
 */
export function isUnclosed({ text, at }: Cursor): boolean {
  const mark = text[at]!
  return text.indexOf(mark, at + 1) === -1 && (mark === "'" || !text.includes('\\', at + 1))
}

/** Reads a quoted scalar, including its closing quote. */
export function readQuoted(cursor: Cursor, parent: number): YamlScalar | undefined {
  const { text, line } = cursor
  const quote = text.charCodeAt(cursor.at)
  const close = text.indexOf(quote === QUOTE ? "'" : '"', cursor.at + 1)
  if (close === -1) return undefined
  const whole = text.slice(cursor.at + 1, close)
  if (!whole.includes('\n') && (quote === QUOTE ? text.charCodeAt(close + 1) !== QUOTE : !whole.includes('\\'))) {
    cursor.at = close + 1
    return { kind: 'scalar', line, value: whole, source: whole, plain: false }
  }
  let value = ''
  let start = cursor.at + 1
  let at = start
  const stop = quote === QUOTE ? STOP_IN_SINGLE : STOP_IN_DOUBLE
  for (;;) {
    stop.lastIndex = at
    if (!stop.test(text)) return undefined
    at = stop.lastIndex - 1
    const code = text.charCodeAt(at)
    if (code === quote) {
      if (quote === QUOTE && text.charCodeAt(at + 1) === QUOTE) {
        value += text.slice(start, at + 1)
        start = at += 2
        continue
      }
      value += text.slice(start, at)
      cursor.at = at + 1
      return { kind: 'scalar', line, value, source: value, plain: false }
    }
    if (code === BACKSLASH) {
      value += text.slice(start, at)
      cursor.at = at + 1
      const escaped = readEscape(cursor, parent)
      if (escaped === undefined) return undefined
      value += escaped
    } else {
      // Blanks before a break are folded away with it, except escaped ones.
      let end = at
      while (end > start && text.charCodeAt(end - 1) === SPACE) end--
      const folded = foldBreaks(cursor, at, parent)
      if (folded === undefined) return undefined
      value += text.slice(start, end) + folded
    }
    start = at = cursor.at
  }
}

/** Used instead of a loop over the characters: a regular expression is fast from the first call on. */
const STOP_IN_SINGLE = /['\n\r]/g
const STOP_IN_DOUBLE = /["\\\n\r]/g

/** Skips line breaks and the blanks around them, and returns the text that they are folded into. */
function foldBreaks(cursor: Cursor, from: number, parent: number): string | undefined {
  const { text } = cursor
  let at = from
  let breaks = 0
  for (;;) {
    const next = text.indexOf('\n', at) + 1
    breaks++
    at = next
    while (text.charCodeAt(at) === SPACE) at++
    if (isBreak(text.charCodeAt(at))) continue
    if (at - next <= parent || at === text.length) return undefined
    cursor.at = at
    cursor.line += breaks
    cursor.tokens += 4
    return breaks === 1 ? ' ' : '\n'.repeat(breaks - 1)
  }
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['a', '\x07'],
  ['b', '\b'],
  ['e', '\x1B'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ['N', '\x85'],
  ['_', '\xA0'],
  ['L', '\u2028'],
  ['P', '\u2029'],
  [' ', ' '],
  ['"', '"'],
  ['/', '/'],
  ['\\', '\\'],
])

/** Reads an escape after its backslash. Returns undefined for one that the full reader would refuse. */
function readEscape(cursor: Cursor, parent: number): string | undefined {
  const { text, at } = cursor
  const letter = text[at]!
  if (letter === '\n' || letter === '\r') {
    const folded = foldBreaks(cursor, at, parent)
    // A backslash escapes a single line break only, not one that blank lines follow.
    return folded === ' ' ? '' : undefined
  }
  if (letter === 'x' || letter === 'u') {
    const code = readCodeUnit(text, at, letter === 'x' ? 2 : 4)
    cursor.at = at + (letter === 'x' ? 3 : 5)
    if (!(code > 0)) return undefined
    if (code < 0xd800 || code > 0xdfff) return String.fromCharCode(code)
    const low = code < 0xdc00 && text.startsWith('\\u', at + 5) ? readCodeUnit(text, at + 6, 4) : 0
    cursor.at = at + 11
    return low >= 0xdc00 && low <= 0xdfff ? String.fromCharCode(code, low) : undefined
  }
  cursor.at = at + 1
  return ESCAPES.get(letter)
}

/** Returns the value of the hexadecimal digits after `at`, or NaN. */
function readCodeUnit(text: string, at: number, digits: number): number {
  const hex = text.slice(at + 1, at + 1 + digits)
  return hex.length === digits && /^[0-9a-fA-F]+$/.test(hex) ? Number.parseInt(hex, 16) : Number.NaN
}

const FOLDED = 0x3e

/**
 * Reads `|`, `|-`, `>` and `>-`, up to the next content. Returns undefined for other headers, for a scalar without
 * content, and for blank lines that are indented deeper than the content.
 */
export function readBlockScalar(cursor: Cursor, parent: number): YamlScalar | undefined {
  const { text, line } = cursor
  const folded = text.charCodeAt(cursor.at) === FOLDED
  const strip = text.charCodeAt(cursor.at + 1) === DASH
  cursor.at += strip ? 2 : 1
  if (!endHeader(cursor)) return undefined
  const lines = readLines(cursor, parent)
  if (lines === undefined) return undefined
  const value = (folded ? fold(lines) : lines.join('\n')) + (strip ? '' : '\n')
  nextContent(cursor)
  return { kind: 'scalar', line, value, source: value, plain: false }
}

function endHeader(cursor: Cursor): boolean {
  const { text } = cursor
  let at = cursor.at
  while (text.charCodeAt(at) === SPACE) at++
  const code = text.charCodeAt(at)
  if (!isBreak(code) && !(code === HASH && at > cursor.at)) return false
  cursor.at = text.indexOf('\n', at) + 1
  cursor.line++
  cursor.tokens += 8
  return true
}

/** Returns the lines without their indentation and without blank lines at the end, which are chomped. */
function readLines(cursor: Cursor, parent: number): string[] | undefined {
  const { text } = cursor
  const lines: string[] = []
  let indent = -1
  let deepestBlank = 0
  /** Blank lines since the last content. They count only if more content follows. */
  let blank = 0
  for (let start = cursor.at; start < text.length;) {
    let at = start
    while (text.charCodeAt(at) === SPACE) at++
    const feed = text.indexOf('\n', at)
    if (isBreak(text.charCodeAt(at))) {
      deepestBlank = Math.max(deepestBlank, at - start)
      blank++
    } else {
      if (indent === -1) indent = at - start
      if (at - start < indent || indent <= parent) break
      for (; blank > 0; blank--) lines.push('')
      lines.push(text.slice(start + indent, text.charCodeAt(feed - 1) === CARRIAGE_RETURN ? feed - 1 : feed))
      cursor.at = feed + 1
    }
    start = feed + 1
  }
  if (lines.length === 0 || deepestBlank > indent) return undefined
  cursor.line += lines.length
  return lines
}

/** Joins lines with a space, except at blank lines and at lines that are indented deeper (YAML 1.2.2, 8.1.3). */
function fold(lines: readonly string[]): string {
  let value = ''
  let separator = ''
  let deeper = false
  for (const line of lines) {
    if (line === '') {
      if (separator === ' ') separator = '\n'
      else value += '\n'
    } else if (line.charCodeAt(0) === SPACE) {
      if (separator === ' ') separator = '\n'
      else if (!deeper && separator === '\n') separator = '\n\n'
      value += separator + line
      separator = '\n'
      deeper = true
    } else {
      value += separator + line
      separator = ' '
      deeper = false
    }
  }
  return value
}
