import { showInvisible } from '@repertoire/core'

/** Characters that most terminals draw two columns wide: East Asian wide and full-width characters, and emoji. */
const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}|\uFE0F/u

const segmenter = new Intl.Segmenter()

/** The width of a text in terminal columns; when in doubt, too many. */
export function columns(text: string): number {
  let sum = 0
  for (const { segment } of segmenter.segment(text)) sum += columnsOf(segment)
  return sum
}

/** The text, or its beginning and an ellipsis if it is wider than `width` columns. */
export function truncate(text: string, width: number): string {
  if (columns(text) <= width) return text
  return width < 1 ? '' : `${take(text, width - 1)}…`
}

/** Fills up with spaces on the right. */
export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - columns(text)))
}

/** Puts a text into the middle of `width` columns. */
export function center(text: string, width: number): string {
  const left = Math.max(0, Math.floor((width - columns(text)) / 2))
  return pad(' '.repeat(left) + text, width)
}

/**
 * Breaks a text into lines of at most `width` columns, at spaces where there are any; its own line breaks stay.
 * Control characters are made visible, since texts of an adapter may contain any.
 */
export function wrap(text: string, width: number): string[] {
  return text.split(/\r?\n/).flatMap((line) => wrapLine(showInvisible(line.replaceAll('\t', '  ')), Math.max(8, width)))
}

function wrapLine(line: string, width: number): string[] {
  const lines: string[] = []
  let rest = line
  while (columns(rest) > width) {
    const head = take(rest, width)
    // A space just after the limit can be used for a break, too.
    const space = rest[head.length] === ' ' ? head.length : head.lastIndexOf(' ')
    const at = space < 1 || head.slice(0, space).trim() === '' ? head.length : space
    lines.push(rest.slice(0, at).trimEnd())
    rest = rest.slice(at).trimStart()
  }
  return [...lines, rest]
}

function take(text: string, width: number): string {
  let sum = 0
  let end = 0
  for (const { segment, index } of segmenter.segment(text)) {
    sum += columnsOf(segment)
    if (sum > width) break
    end = index + segment.length
  }
  return text.slice(0, end)
}

function columnsOf(segment: string): number {
  return WIDE.test(segment) ? 2 : 1
}
