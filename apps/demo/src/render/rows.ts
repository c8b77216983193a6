import { allOf, type ComparedCell, type ComparedRow } from '@repertoire/inspector/compare'
import { padTo, visibleLine } from 'repertoire/terminal'
import { clip, type Screen } from './screen.ts'

const INDENT = 4
const STATUS = 11
const SEPARATOR = ' │ '
/** Narrower columns are not side by side, but below each other. */
const MIN_COLUMN = 26
const MAX_LINES = 3

/** A line before it is filled up and coloured. */
interface Line {
  readonly text: string
  readonly color: (text: string) => string
}

/** A title before some steps, by the number of the first. */
export type Chapters = ReadonlyMap<number, string>

/** Draws a comparison: one column for all runs, which splits where they differ. */
export function drawRows(
  rows: readonly ComparedRow[],
  { names, chapters }: { readonly names: readonly string[]; readonly chapters: Chapters },
  { width, paint }: Screen,
): string {
  let step = 0
  let titles = ''
  const lines: string[] = [names.length === 1 ? '' : paint.bold(`${' '.repeat(INDENT)}${allOf(names.length)}`)]
  for (const row of rows) {
    const number = row.find(({ cell }) => cell !== undefined)?.cell?.number ?? step
    const chapter = number === step ? undefined : chapters.get(number)
    if (chapter !== undefined) lines.push('', ...clip(chapter, width, MAX_LINES).map(paint.bold))
    const start = number === step ? '' : String(number).padStart(2)
    step = number
    if (row.length === 1) {
      titles = ''
      lines.push(...prefixed(start, cellLines(row[0]!.cell, width - INDENT)))
      continue
    }
    const columnTitles = row.map(({ runs }) => runs.map((place) => names[place]).join(', '))
    const isRepeated = columnTitles.join('\n') === titles
    titles = columnTitles.join('\n')
    lines.push(...splitLines(row, start, isRepeated ? [] : columnTitles))
  }
  return lines.map((line) => line.trimEnd()).join('\n')

  function prefixed(start: string, cell: readonly Line[]): readonly string[] {
    return cell.map(({ text, color }, index) => paint.dim(padTo(index === 0 ? start : '', INDENT)) + color(text))
  }

  function splitLines(row: ComparedRow, start: string, columnTitles: readonly string[]): readonly string[] {
    const room = Math.floor((width - INDENT - SEPARATOR.length * (row.length - 1)) / row.length)
    const isBeside = room >= MIN_COLUMN
    const columnWidth = isBeside ? room : width - INDENT
    const columns = row.map(({ cell }, index): readonly Line[] => [
      ...(columnTitles[index] === undefined ? [] : titleLines(columnTitles[index], columnWidth)),
      ...cellLines(cell, columnWidth).map(({ text }) => ({ text, color: paint.red })),
    ])
    // A title of one line stands on the last line of its neighbours' titles.
    const mark = (line: string, index: number): string =>
      paint.red(padTo(index === 0 ? `${padTo(start, 2)}≠` : '', INDENT)) + line
    if (!isBeside) return columns.flat().map(({ text, color }, index) => mark(color(text), index))
    const height = Math.max(...columns.map(({ length }) => length))
    const titleHeight = Math.max(0, ...columnTitles.map((title) => titleLines(title, columnWidth).length))
    const even = columns.map((column, index) => {
      const own = columnTitles[index] === undefined ? 0 : titleLines(columnTitles[index], columnWidth).length
      const gap = Array.from({ length: titleHeight - own }, (): Line => ({ text: '', color: String }))
      return [...column.slice(0, own), ...gap, ...column.slice(own)]
    })
    return Array.from({ length: Math.max(height, ...even.map(({ length }) => length)) }, (_, at) =>
      mark(
        even
          .map((column) => {
            const { text, color } = column[at] ?? { text: '', color: String }
            return color(padTo(text, columnWidth))
          })
          .join(paint.dim(SEPARATOR)),
        at,
      ),
    )
  }

  function titleLines(title: string, room: number): readonly Line[] {
    return clip(title, room, MAX_LINES).map((text) => ({ text, color: paint.bold }))
  }

  function cellLines(cell: ComparedCell | undefined, room: number): readonly Line[] {
    if (cell === undefined) return [{ text: 'not here', color: paint.dim }]
    const { mark, color } = markOf(cell)
    const isWide = room >= 2 * MIN_COLUMN
    const indent = isWide ? STATUS : 2
    const head = isWide ? padTo(mark, STATUS) : `${mark} `
    const text = clip(visibleLine(cell.text.replace('  ', ' ')), room - head.length, 2)
    const reason = [cell.code, visibleLine(cell.why)].filter((part) => part !== '').join(': ')
    const why = reason === '' ? [] : clip(reason, room - indent, isWide ? MAX_LINES : 1)
    return [
      ...text.map((line, index) => ({ text: (index === 0 ? head : ' '.repeat(head.length)) + line, color })),
      ...why.map((line) => ({ text: ' '.repeat(indent) + line, color: paint.dim })),
    ]
  }

  function markOf({ kind, status }: ComparedCell): { readonly mark: string; readonly color: (text: string) => string } {
    if (kind === 'shown') return { mark: '▤ shown', color: paint.dim }
    if (status === 'ran') return { mark: '✓ ran', color: paint.green }
    if (status === 'refused') return { mark: '✗ refused', color: paint.yellow }
    return { mark: `! ${status}`, color: paint.red }
  }
}
