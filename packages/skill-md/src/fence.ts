import { quote } from './text/escape.ts'
import type { Fault } from './diagnostics.ts'

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

const [TAB, LINE_FEED, CARRIAGE_RETURN, SPACE, DASH] = [0x09, 0x0a, 0x0d, 0x20, 0x2d]

/**
 * Finds the frontmatter between the first two fences. A fence is a whole line of three hyphens; spaces and tabs may
 * follow. Any other line (`---` in a value, indented, longer, or followed by a word) is not a fence.
 * @param bytes the file, or its beginning
 * @param whole whether `bytes` is all of the file. If not, more of it may hold what is not found here
 */
export function findFrontmatter(bytes: Uint8Array, whole: boolean): FrontmatterPlace | Fault {
  // A byte order mark may precede it.
  let open = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  let line = 1
  let feed = bytes.indexOf(LINE_FEED, open)
  for (; feed !== -1 && isBlank(bytes, open, feed); line++) {
    open = feed + 1
    feed = bytes.indexOf(LINE_FEED, open)
  }
  if (!isFence(bytes, open, feed)) return withoutOpening(bytes)
  const start = feed + 1
  for (let at = start, number = line + 1; feed !== -1 && at < bytes.length; at = feed + 1, number++) {
    feed = bytes.indexOf(LINE_FEED, at)
    if (bytes[at] !== DASH || (feed === -1 && !whole) || !isFence(bytes, at, feed)) continue
    const bodyStart = feed === -1 ? bytes.length : feed + 1
    return { start, end: at, line: line + 1, bodyStart, bodyLine: number + 1, blankLines: line - 1 }
  }
  return unclosed(bytes, line)
}

/** @param feed the offset of the line feed, -1 for none */
function isFence(bytes: Uint8Array, start: number, feed: number): boolean {
  const isMark = bytes[start] === DASH && bytes[start + 1] === DASH && bytes[start + 2] === DASH
  return isMark && isBlank(bytes, start + 3, feed === -1 ? bytes.length : feed)
}

function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at]
    if (byte !== SPACE && byte !== TAB && (byte !== CARRIAGE_RETURN || at < end - 1)) return false
  }
  return true
}

/** Returns the number of line feeds before `index`. */
export function countLines(text: string, index: number): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1 && at < index; at = text.indexOf('\n', at + 1)) count++
  return count
}

function withoutOpening(bytes: Uint8Array): Fault {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    return { code: 'ENCODING_INVALID', line: 1, message: 'The file is UTF-16 text.', hint: 'Save the file as UTF-8.' }
  }
  const file = new TextDecoder().decode(bytes)
  const text = file.replace(/^(?:[ \t]*\r?\n)+/, '')
  const line = countLines(file, file.length - text.length) + 1
  if (text.startsWith('---')) {
    const message = `Line ${line} is ${quote(text.split(/\r?\n/, 1)[0]!)}, which is not a fence.`
    return { code: 'FENCE_INVALID', line, message, hint: `Make line ${line} exactly "---". No language is evaluated.` }
  }
  const [before] = /^(?:(?!---).*\n)+(?=---[ \t]*\r?\n(?:#.*\n)*[\w-]+:(?:\s|$))/.exec(text) ?? []
  if (before !== undefined) {
    const message = `The opening "---" is on line ${line + countLines(before, before.length)}, behind other text.`
    return { code: 'FRONTMATTER_LATE', line, message, hint: 'Move what stands before it behind the closing "---".' }
  }
  const hint = /^(?:name|description):/.test(text)
    ? 'Add a line "---" above the fields, and one below them.'
    : 'Begin the file with the lines "---", "name: <the folder\'s name>", "description: <when to use it>", "---".'
  return { code: 'FRONTMATTER_MISSING', line, message: 'The file does not begin with a "---" line.', hint }
}

function unclosed(bytes: Uint8Array, line: number): Fault {
  const message = `The frontmatter that opens on line ${line} is not closed.`
  // A line that may be meant as the closing fence: indented, or with more hyphens.
  const lines = new TextDecoder().decode(bytes).split('\n')
  const alike = lines.findIndex((text, index) => index >= line && /^[ \t]*-{3,}\s*$/.test(text)) + 1
  const hint =
    alike === 0
      ? 'Add a line "---" after the last field.'
      : `Make line ${alike} exactly "---", without indentation or more hyphens.`
  return { code: 'FRONTMATTER_UNCLOSED', line, message, hint }
}
