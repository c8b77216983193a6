import { type Output, type Paint, shorten, wrap } from 'repertoire/terminal'

/** A terminal as far as drawing needs to know it. */
export interface Screen {
  /** In columns: no line is longer. */
  readonly width: number
  readonly paint: Paint
}

/** The terminal to draw on. Of an unknown width, as in a pipe, 80 columns are used. */
export function screenOf({ columns = 80, paint }: Output): Screen {
  return { width: Math.min(140, Math.max(60, columns)), paint }
}

/** As much of a text as fits into some lines, with "…" at the end if it is cut. */
export function clip(text: string, width: number, most: number): readonly string[] {
  const lines = wrap(text, width)
  if (lines.length <= most) return lines
  return [...lines.slice(0, most - 1), shorten(lines.slice(most - 1).join(' '), width)]
}
