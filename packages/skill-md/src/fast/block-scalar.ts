/** Literal and folded block scalars of the exact reader; see `plain-yaml.ts`. */

import type { YamlScalar } from '../yaml/tree.ts'
import { CARRIAGE_RETURN, DASH, HASH, isBreak, nextContent, SPACE, type Cursor } from './cursor.ts'

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
