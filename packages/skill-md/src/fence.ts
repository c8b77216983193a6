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

/** One character for each byte, so that positions in the text are offsets in the file. */
const bytewise = new TextDecoder('latin1')

/** The opening fence, behind a byte order mark and blank lines. */
const OPENING = /^(?:\xEF\xBB\xBF)?(?:[ \t]*\r?\n)*---[ \t]*\r?\n/
const CLOSING = /\n---[ \t]*\r?\n/g
/** A line that may be meant as the closing fence: indented, or with more hyphens. */
const LOOKALIKE = /\n[ \t]*-{3,}[ \t]*\r?\n/

/**
 * Finds the frontmatter between the first two fences. A fence is a whole line of three hyphens; spaces and tabs may
 * follow. Any other line (`---` in a value, indented, longer, or followed by a word) is not a fence.
 * @param bytes the file, or its beginning
 * @param whole whether `bytes` is all of the file. If not, more of it may hold what is not found here
 */
export function findFrontmatter(bytes: Uint8Array, whole: boolean): FrontmatterPlace | Fault {
  const text = bytewise.decode(bytes) + (whole ? '\n' : '')
  const opening = OPENING.exec(text)
  if (opening === null) return withoutOpening(bytes)
  const start = opening[0].length
  const line = countLines(text, start)
  CLOSING.lastIndex = start - 1
  const closing = CLOSING.exec(text)
  if (closing === null) return unclosed(line, LOOKALIKE.exec(text.slice(start - 1)))
  const end = closing.index + 1
  const bodyStart = Math.min(end + closing[0].length - 1, bytes.length)
  return { start, end, line: line + 1, bodyStart, bodyLine: countLines(text, end) + 2, blankLines: line - 1 }
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

function unclosed(line: number, lookalike: RegExpExecArray | null): Fault {
  const message = `The frontmatter that opens on line ${line} is not closed.`
  const hint =
    lookalike === null
      ? 'Add a line "---" after the last field.'
      : `Make line ${line + countLines(lookalike.input, lookalike.index + 1)} exactly "---", without indentation or more hyphens.`
  return { code: 'FRONTMATTER_UNCLOSED', line, message, hint }
}
