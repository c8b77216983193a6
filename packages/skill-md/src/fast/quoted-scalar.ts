/** Quoted scalars of the exact reader; see `plain-yaml.ts`. */

import type { YamlScalar } from '../yaml/tree.ts'
import { BACKSLASH, isBreak, QUOTE, SPACE, type Cursor } from './cursor.ts'

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
      const fold = foldBreaks(cursor, at, parent)
      if (fold === undefined) return undefined
      value += text.slice(start, end) + fold
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
    const fold = foldBreaks(cursor, at, parent)
    // A backslash escapes a single line break only, not one that blank lines follow.
    return fold === ' ' ? '' : undefined
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
