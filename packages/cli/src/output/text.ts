import { showInvisible, showName } from '@repertoire/core'
import stringWidth from 'string-width'

const PLAIN = /^[\u0020-\u007E]*$/
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Foreign text as one line for a terminal: nothing in it can move the cursor, set a colour or hide. */
export function visible(text: string): string {
  return PLAIN.test(text) ? text : showInvisible(text)
}

/** A name or a path as one line: as `visible`, and no two that differ look the same. */
export function visibleName(name: string): string {
  return showName(name)
}

/** Prose as one line: line breaks and runs of spaces become one space, the rest as `visible`. */
export function visibleLine(text: string): string {
  return visible(text.replace(/\s+/g, ' ').trim())
}

/** The width of a text in terminal columns. */
export function widthOf(text: string): number {
  return PLAIN.test(text) ? text.length : stringWidth(text)
}

/** The text with spaces up to a width. */
export function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

/** The text, or as much of it as fits, followed by "…". Never splits a character. */
export function shorten(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let kept = ''
  let taken = 1
  for (const { segment } of graphemes.segment(text)) {
    taken += widthOf(segment)
    if (taken > width) break
    kept += segment
  }
  return `${kept.trimEnd()}…`
}

/** `1 skill`, `2 skills`. */
export function count(number: number, one: string, many: string = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`
}

/** Breaks one line of visible text into lines of at most `width` columns, at spaces if possible. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const joined = line === '' ? word : `${line} ${word}`
    if (widthOf(joined) <= width) {
      line = joined
      continue
    }
    if (line !== '') lines.push(line)
    line = word
    while (widthOf(line) > width) {
      const head = take(line, width)
      lines.push(head)
      line = line.slice(head.length)
    }
  }
  return [...lines, line]
}

/** As many characters as fit, but at least one. */
function take(text: string, width: number): string {
  let taken = ''
  for (const { segment } of graphemes.segment(text)) {
    if (taken !== '' && widthOf(taken + segment) > width) break
    taken += segment
  }
  return taken
}
