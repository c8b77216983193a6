import { type Paint, shorten, widthOf } from 'repertoire/terminal'

/** A terminal as far as drawing needs to know it. */
export interface Screen {
  /** In columns: no line is longer. */
  readonly width: number
  readonly paint: Paint
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Breaks one line of visible text into lines of at most `width` columns, at spaces where there are any. */
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

/** As much of a text as fits into some lines, with "…" at the end where that is not all. */
export function clip(text: string, width: number, most: number): readonly string[] {
  const lines = wrap(text, width)
  if (lines.length <= most) return lines
  return [...lines.slice(0, most - 1), shorten(lines.slice(most - 1).join(' '), width)]
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
