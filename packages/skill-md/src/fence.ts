import { excerpt } from './text/hidden.ts'
import type { Fault } from './diagnostics.ts'

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const DASH = 0x2d
const SPACE = 0x20
const TAB = 0x09

/** The positions of the frontmatter and the body: offsets in bytes, lines 1-based. */
export interface FrontmatterPlace {
  readonly start: number
  readonly end: number
  readonly line: number
  readonly bodyStart: number
  readonly bodyLine: number
  /** The number of blank lines before the opening fence. */
  readonly blankLines: number
}

/** `incomplete`: the bytes end before the frontmatter does; more of the file has to be read. */
type FenceResult = { readonly found: FrontmatterPlace } | { readonly fault: Fault } | { readonly incomplete: true }

/**
 * Finds the frontmatter between the first two fences. A fence is a whole line of three hyphens; spaces and tabs may
 * follow. Any other line (`---` in a value, indented, longer, or followed by a word) is not a fence.
 * @param bytes the file, or its beginning
 * @param whole whether `bytes` is all of the file
 */
export function findFrontmatter(bytes: Uint8Array, whole: boolean): FenceResult {
  // The fast path for most files: it allocates nothing and reads only the first byte of most lines.
  if (isBareFence(bytes, 0, 3)) {
    const closed = findClosing(bytes, BARE_FENCE, 1, whole)
    if (closed !== undefined) return closed
  }
  if (isUtf16(bytes)) {
    const message = 'The file is UTF-16 text.'
    return { fault: { code: 'ENCODING_INVALID', line: 1, message, hint: 'Save the file as UTF-8.' } }
  }
  let line = lineAt(bytes, byteOrderMarkLength(bytes), 1, whole)
  while (line?.complete === true && isBlank(bytes, line.start, line.end))
    line = lineAt(bytes, line.next, line.line + 1, whole)
  if (line === undefined) return whole ? { fault: missing(1, 'The file is empty.') } : { incomplete: true }

  const first = line
  if (!startsWithFence(bytes, first.start, first.end)) {
    const open = !first.complete && (isBlank(bytes, first.start, first.end) || isPrefixOfFence(bytes, first))
    return open ? { incomplete: true } : { fault: withoutOpening(bytes, first) }
  }
  if (!first.complete) return { incomplete: true }
  if (!isFence(bytes, first.start, first.end)) return { fault: notAFence(bytes, first) }

  const closed = findClosing(bytes, first.next, first.line, whole)
  return closed ?? { fault: unclosed(first.line, findLookalike(bytes, first)) }
}

/**
 * Returns undefined if the whole file has no closing fence.
 * @param start the offset after the opening fence
 * @param line the line of the opening fence
 */
function findClosing(bytes: Uint8Array, start: number, line: number, whole: boolean): FenceResult | undefined {
  let number = line
  for (let at = start; at < bytes.length;) {
    number++
    const feed = bytes.indexOf(LINE_FEED, at)
    if (feed === -1 && !whole) return { incomplete: true }
    const next = feed === -1 ? bytes.length : feed + 1
    if (bytes[at] === DASH && (isBareFence(bytes, at, feed) || isFence(bytes, at, endOfLine(bytes, at, feed)))) {
      const found = { start, end: at, line: line + 1, bodyStart: next, bodyLine: number + 1, blankLines: line - 1 }
      return { found }
    }
    at = next
  }
  return whole ? undefined : { incomplete: true }
}

/** The length of `---` and a line feed, in bytes. Nearly every fence is like this. */
const BARE_FENCE = 4

function isBareFence(bytes: Uint8Array, at: number, feed: number): boolean {
  return feed === at + 3 && bytes[feed] === LINE_FEED && startsWithFence(bytes, at, feed)
}

/** A line without its line ending. `complete`: the end of the line or of the file is known. */
interface Line {
  readonly start: number
  readonly end: number
  readonly next: number
  readonly line: number
  readonly complete: boolean
}

/** Returns undefined after the last line. */
function lineAt(bytes: Uint8Array, start: number, line: number, whole: boolean): Line | undefined {
  if (start >= bytes.length) return undefined
  const feed = bytes.indexOf(LINE_FEED, start)
  const next = feed === -1 ? bytes.length : feed + 1
  return { start, end: endOfLine(bytes, start, feed), next, line, complete: feed !== -1 || whole }
}

/** @param feed the offset of the line feed, -1 for none */
function endOfLine(bytes: Uint8Array, start: number, feed: number): number {
  const stop = feed === -1 ? bytes.length : feed
  return stop > start && bytes[stop - 1] === CARRIAGE_RETURN ? stop - 1 : stop
}

function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] !== SPACE && bytes[at] !== TAB) return false
  return true
}

function startsWithFence(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start >= 3 && bytes[start] === DASH && bytes[start + 1] === DASH && bytes[start + 2] === DASH
}

function isPrefixOfFence(bytes: Uint8Array, { start, end }: Line): boolean {
  return end - start < 3 && bytes.subarray(start, end).every((byte) => byte === DASH)
}

function isFence(bytes: Uint8Array, start: number, end: number): boolean {
  return startsWithFence(bytes, start, end) && isBlank(bytes, start + 3, end)
}

/** Returns the number of a line that may be meant as the closing fence: indented, or with more hyphens. */
function findLookalike(bytes: Uint8Array, opening: Line): number | undefined {
  let line = lineAt(bytes, opening.next, opening.line + 1, true)
  while (line !== undefined && !resemblesFence(bytes, line)) line = lineAt(bytes, line.next, line.line + 1, true)
  return line?.line
}

function resemblesFence(bytes: Uint8Array, { start, end }: Line): boolean {
  if (end - start > 64) return false
  return /^\s*-{3,}\s*$/.test(String.fromCharCode(...bytes.subarray(start, end)))
}

function withoutOpening(bytes: Uint8Array, { start, line }: Line): Fault {
  const fault = missing(line, 'The file does not begin with a "---" line.')
  const text = new TextDecoder().decode(bytes.subarray(start))
  if (/^(?:name|description):/.test(text)) {
    return { ...fault, hint: 'Add a line "---" above the fields, and one below them.' }
  }
  const before = /^(?:(?!---).*\n)+(?=---[ \t]*\r?\n(?:#.*\n)*[\w-]+:(?:\s|$))/.exec(text)?.[0]
  if (before === undefined) return fault
  const begins = line + before.split('\n').length - 1
  const what = before.startsWith('<!--') || before.startsWith('#') ? 'a comment or a heading' : 'other text'
  const message = `The opening "---" is on line ${begins}, behind ${what}.`
  return { code: 'FRONTMATTER_LATE', line, message, hint: 'Move what stands before it behind the closing "---".' }
}

function missing(line: number, message: string): Fault {
  const hint =
    'Begin the file with the lines "---", "name: <the folder\'s name>", "description: <when to use it>", "---".'
  return { code: 'FRONTMATTER_MISSING', line, message, hint }
}

function notAFence(bytes: Uint8Array, { start, end, line }: Line): Fault {
  const shown = excerpt(new TextDecoder().decode(bytes.subarray(start, Math.min(end, start + 200))))
  const message = `Line ${line} is ${shown}, which is not a fence.`
  return { code: 'FENCE_INVALID', line, message, hint: `Make line ${line} exactly "---". No language is evaluated.` }
}

function unclosed(line: number, lookalike: number | undefined): Fault {
  const message = `The frontmatter that opens on line ${line} is not closed.`
  const hint =
    lookalike === undefined
      ? 'Add a line "---" after the last field.'
      : `Make line ${lookalike} exactly "---", without indentation or more hyphens.`
  return { code: 'FRONTMATTER_UNCLOSED', line, message, hint }
}

/** Whether the bytes begin with the byte order mark of UTF-16, little-endian or big-endian. */
function isUtf16(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
}

/** Returns the length of the UTF-8 byte order mark, in bytes: 3, or 0 if there is none. */
function byteOrderMarkLength(bytes: Uint8Array): 0 | 3 {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
}
