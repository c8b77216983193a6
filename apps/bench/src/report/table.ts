import { padTo, widthOf } from 'repertoire/terminal'

/** A cell, or a row that is one text. */
export type Row = readonly string[]

/** Columns under their heads: the first flush left, the others flush right, two spaces between. */
export function table(head: Row, rows: readonly Row[], paint: (head: string) => string): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => widthOf(row[column] ?? ''))))
  const line = (row: Row): string =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0
        return column === 0 ? padTo(cell, width) : ' '.repeat(Math.max(0, width - widthOf(cell))) + cell
      })
      .join('  ')
      .trimEnd()
  return [paint(line(head)), ...rows.map(line)].map((text) => `  ${text}\n`).join('')
}
