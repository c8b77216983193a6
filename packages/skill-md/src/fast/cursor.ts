import type { Fault } from '../diagnostics.ts'
import type { YamlEntry } from '../yaml/tree.ts'

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
 * The position in a text. The text holds no tab and a carriage return only before a line feed, and it ends with a line
 * feed, so that a loop that stops at a line's end never runs past the text.
 */
export interface Cursor {
  readonly text: string
  at: number
  /** The file's line of `at`, 1-based. */
  line: number
  /** The column of the content at `at`, after a call of `nextContent`; -1 at the end. */
  indent: number
  /** An upper bound of the tokens that the full reader would count. */
  tokens: number
  /** Where `: ` was found last, with none between the start of that search and here. -1 before the first search. */
  colon: number
  /** The same for ` #`. */
  comment: number
  /** The line of a value whose only error is that it needs quotes to be text. */
  faultLine: number | undefined
  /** What the full reader would report, where that is certain. */
  fault: Fault | undefined
}

export function isBreak(code: number): boolean {
  return code === LINE_FEED || code === CARRIAGE_RETURN
}

export function isBlank(code: number): boolean {
  return code === SPACE || code === LINE_FEED || code === CARRIAGE_RETURN
}

/** Moves from the beginning of a line to the next content, over blank lines and comments. */
export function nextContent(cursor: Cursor): void {
  const { text } = cursor
  let at = cursor.at
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

/** Moves to the next content if only blanks or a comment follow on the line; returns false otherwise. */
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

/** Far below the 1,024 characters that YAML allows between a key's beginning and its colon. */
export const MAX_KEY_CHARS = 256

/** Keys of JavaScript's prototypes, and the merge key of YAML 1.1. The full reader reports the error. */
const REFUSED: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype', '<<'])

/** A key without quotes or escapes that is not refused. */
export const SIMPLE_KEY = /^(?!constructor$|prototype$)[A-Za-z][\w-]*$/

/** Whether a key is one that no manifest may have. */
export function isRefused(key: string): boolean {
  return REFUSED.has(key)
}

export function hasDuplicate(entries: readonly YamlEntry[]): boolean {
  return entries.length > 1 && new Set(entries.map(({ key }) => key)).size < entries.length
}
