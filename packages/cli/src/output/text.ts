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

/** Breaks lines that are wider than the terminal, between words. The rest stands below the text, not the label. */
export function foldLines(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => (widthOf(line) <= width ? [line] : fold(line, width)))
    .join('\n')
}

function fold(line: string, width: number): readonly string[] {
  const label = /^ *\S+(?: \S+)* {2,}/.exec(line)?.[0] ?? ''
  const lead = widthOf(label) <= width / 2 && label !== '' ? label : (/^ *(?:[-→✗✓!?+~=] )?/u.exec(line)?.[0] ?? '')
  const indent = widthOf(lead)
  const [first = '', ...more] = words(line.slice(lead.length), width - indent)
  return [lead + first, ...more.map((each) => ' '.repeat(indent) + each)]
}

/** Breaks one line of visible text into lines of at most `width` columns, at spaces if possible. */
export function wrap(text: string, width: number): readonly string[] {
  return words(text, width).flatMap((line) => pieces(line, width))
}

/** Puts as many words on each line as fit. A longer word stays whole. */
function words(text: string, width: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const joined = `${lines.at(-1)} ${word}`
    if (lines.length > 0 && widthOf(joined) <= width) lines.splice(-1, 1, joined)
    else lines.push(word)
  }
  return lines
}

/** Breaks what has no space, but never a character. */
function pieces(line: string, width: number): readonly string[] {
  if (widthOf(line) <= width) return [line]
  const parts = ['']
  for (const { segment } of graphemes.segment(line)) {
    const last = parts.at(-1)!
    if (last === '' || widthOf(last + segment) <= width) parts.splice(-1, 1, last + segment)
    else parts.push(segment)
  }
  return parts
}

/** A text of paragraphs, each broken at the width. Lines that begin with a space stay as they are. */
export function paragraphs(text: string, { columns = 80 }: { readonly columns: number | undefined }): string {
  const width = Math.min(columns, 100)
  const joined = text.replaceAll(/^\n+|\s+$/g, '').replaceAll(/(?<=^\S.*)\n(?=\S)/gm, ' ')
  return `\n${foldLines(joined, width)}`
}
