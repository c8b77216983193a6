import type { Paint } from './output.ts'
import { padTo, visibleLine } from './text.ts'

/** A label and what it says; undefined: the row is left out. */
export type Row = readonly [label: string, text: string | undefined]

/** Rows with their texts in one column. What is foreign in them is made visible. */
export function rowLines(rows: readonly Row[], paint: Paint): readonly string[] {
  const shown = rows.flatMap(([label, text]) => (text === undefined ? [] : [[visibleLine(label), text] as const]))
  const width = Math.max(0, ...shown.map(([label]) => label.length))
  return shown.map(([label, text]) => `  ${padTo(paint.dim(label), width)}  ${visibleLine(text)}`)
}

/** Values with commas between; undefined if there is none. */
export function listText(values: readonly string[]): string | undefined {
  return values.length === 0 ? undefined : values.join(', ')
}
