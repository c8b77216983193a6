import { showInvisible } from '@repertoire/core'
import { checkOptions, foreign, number, type OptionTable } from '@repertoire/core/options'
import {
  byReason,
  byAbsence,
  byDifference,
  byWorkaround,
  markOf,
  MARKS,
  type Matrix,
  matrixOf,
  type MatrixRow,
  type ReasonGroup,
  countedStatuses,
  totalsOf,
} from './matrix.ts'
import { hostTexts, leftOutTexts, type Report, type Result, type Status } from './report.ts'
import { titleParts } from './title.ts'
import { center, columns, pad, truncate, wrap } from './width.ts'

/** The colours of a terminal report: each function returns the text between the codes of its colour. */
export interface Palette {
  readonly pass: Paint
  readonly fail: Paint
  readonly known: Paint
  readonly absent: Paint
  /** Headings. */
  readonly strong: Paint
  /** Text of little importance. */
  readonly faint: Paint
}

/** Returns a text in a colour. */
export type Paint = (text: string) => string

/** How a terminal report is drawn. */
export interface TerminalOptions {
  /** The colours of the report. Default: none. */
  readonly palette?: Palette | undefined
  /** In columns; no line is longer, unless too many adapters are shown next to each other. Default 100, at least 40. */
  readonly width?: number | undefined
}

const PLAIN: Palette = { pass: asIs, fail: asIs, known: asIs, absent: asIs, strong: asIs, faint: asIs }
const MIN_WIDTH = 40
const TERMINAL_OPTIONS: OptionTable<TerminalOptions> = {
  palette: foreign('an object of colours'),
  width: number('columns', { from: 0, isUnlimited: true }),
}
const GAP = 2
const MIN_ID_CHARS = 12
const MIN_TITLE_CHARS = 16
const LEVELS = { MUST: '', SHOULD: 'should: ', INFO: 'not judged: ' }
/** Lines of one reason; the other reports have all of it. */
const MAX_LINES = 10

/**
 * A report for a terminal: a matrix of checks and adapters by area, totals that are the legend too, and the reasons
 * of everything that did not pass. `(✓)` passes by a workaround, which is named too.
 */
export function renderTerminal(report: Report, options: TerminalOptions = {}): string {
  checkOptions('renderTerminal', TERMINAL_OPTIONS, options)
  const { palette = PLAIN, width = 100 } = options
  const matrix = matrixOf(report)
  const table = layout(matrix, countedStatuses(report), Math.max(MIN_WIDTH, Math.floor(width)), palette)
  const lines = [
    ...table.header(),
    ...matrix.areas.flatMap(({ area, rows }) => [palette.strong(area), ...rows.map((row) => table.row(row)), '']),
    ...table.totals(),
    '',
    ...reasons(report.results, table.width, palette),
    ...hostTexts(report).flatMap((text) => wrap(showInvisible(text), table.width)),
    ...(report.hosts === undefined ? [] : ['']),
    ...leftOutTexts(report).flatMap((text) => [...wrap(showInvisible(text), table.width), '']),
    ...summary(report, table.width, palette),
  ]
  return `${lines.join('\n')}\n`
}

interface Table {
  readonly width: number
  header(): string[]
  row(row: MatrixRow): string
  totals(): string[]
}

function layout(
  { adapters, areas, totals }: Matrix,
  statuses: readonly Status[],
  width: number,
  palette: Palette,
): Table {
  const checks = areas.flatMap(({ rows }) => rows.map(({ check }) => check))
  const names = adapters.map(showInvisible)
  const longestId = Math.max(MIN_ID_CHARS, ...checks.map(({ id }) => columns(showInvisible(id)))) + GAP
  const marks = areas.flatMap(({ rows }) =>
    rows.flatMap(({ cells }) => cells.map((cell) => (cell ? markOf(cell) : ''))),
  )
  const markColumns = Math.max(1, ...marks.map(columns))
  const columnsOf = (heads: readonly string[]): number[] =>
    heads.map((head) => Math.max(markColumns, columns(head)) + GAP)
  // Adapters whose names do not fit next to each other are numbered, and named above.
  const numbered = longestId + sum(columnsOf(names)) > width
  const heads = numbered ? names.map((_, index) => String(index + 1)) : names
  const headColumns = columnsOf(heads)
  const idColumns = Math.max(MIN_ID_CHARS, Math.min(longestId, width - sum(headColumns)))
  const left = width - idColumns - sum(headColumns)
  const titleColumns = left >= MIN_TITLE_CHARS + GAP ? left - GAP : 0
  const line = (head: string, cells: readonly string[], title = ''): string =>
    `${head}${cells.join('')}${title === '' ? '' : `${' '.repeat(GAP)}${title}`}`.trimEnd()

  return {
    width,
    header() {
      const key = numbered ? names.map((name, index) => truncate(`${index + 1}  ${name}`, width)) : []
      const cells = heads.map((head, index) => palette.strong(center(head, headColumns[index]!)))
      const count = checks.length === 1 ? '1 check' : `${checks.length} checks`
      return [...key, line(palette.faint(pad(count, idColumns)), cells)]
    },
    row({ check, cells }) {
      const painted = cells.map((cell, index) => paintedMark(cell, headColumns[index]!, palette))
      const level = LEVELS[check.level]
      const title =
        titleColumns === 0 ? '' : truncate(showInvisible(level + titleParts(check.title).demand), titleColumns)
      const id = truncate(`${' '.repeat(GAP)}${showInvisible(check.id)}`, idColumns)
      return line(pad(id, idColumns), painted, palette.faint(title))
    },
    totals() {
      return statuses.map((status) => {
        const cells = totals.map((total, index) => paintedTotal(total[status], status, headColumns[index]!, palette))
        return line(paint(status, palette)(pad(`${MARKS[status]} ${status}`, idColumns)), cells)
      })
    },
  }
}

function sum(widths: readonly number[]): number {
  return widths.reduce((all, each) => all + each, 0)
}

function paintedMark(cell: Result | undefined, width: number, palette: Palette): string {
  return cell === undefined ? ' '.repeat(width) : paint(cell.status, palette)(center(markOf(cell), width))
}

function paintedTotal(count: number, status: Status, width: number, palette: Palette): string {
  return (count === 0 ? palette.faint : paint(status, palette))(center(String(count), width))
}

/** Failures one by one; known failures, checks that are not applicable and workarounds grouped by reason. */
function reasons(results: readonly Result[], width: number, palette: Palette): string[] {
  const indented = (text: string): string[] => shortened(wrap(text, width - 4)).map((line) => `    ${line}`)
  const section = (heading: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [palette.strong(heading), ...lines, '']

  const failed = results.filter(({ status }) => status === 'fail')
  const failures = failed.flatMap(({ adapter, id, level, title, reason = '', documented }, index) => [
    ...(index === 0 ? [] : ['']),
    ...headline(`${adapter}  ${id}  ${level}`, 'fail', width, palette),
    ...indented(title).map((line) => palette.faint(line)),
    ...indented(reason),
    ...(documented === undefined ? [] : indented(`Its documentation: ${documented}`)),
  ])
  const told = results.filter(({ status }) => status === 'told')
  const grouped = (groups: readonly ReasonGroup[], status: Status, mark = MARKS[status]): string[] =>
    groups.flatMap(({ adapter, reason, results: members }) => [
      ...headline(`${adapter}  ${members.map(({ id }) => id).join(', ')}`, status, width, palette, mark),
      ...indented(reason),
    ])
  const expected = (status: Status): string[] =>
    grouped(byReason(results.filter((result) => result.status === status)), status)
  return [
    ...section('Failures', failures),
    ...section('Known failures', expected('known')),
    ...section('Not applicable', expected('n/a')),
    ...section(
      'Known of all checks',
      byDifference(results).flatMap(({ adapter, reason, results: members }) => [
        ...headline(`${adapter}  ${members.length} checks`, 'known', width, palette),
        ...indented(reason),
      ]),
    ),
    ...section('Not applicable in some variants', grouped(byAbsence(results), 'pass')),
    ...section(
      'Not judged',
      told.flatMap(({ adapter, id, reason = '' }) => [
        ...headline(`${adapter}  ${id}`, 'told', width, palette),
        ...indented(reason),
      ]),
    ),
    ...section('Worked around', grouped(byWorkaround(results), 'pass', `(${MARKS.pass})`)),
  ]
}

function shortened(lines: readonly string[]): readonly string[] {
  if (lines.length <= MAX_LINES) return lines
  return [...lines.slice(0, MAX_LINES - 1), `… (${lines.length - MAX_LINES + 1} more lines)`]
}

function headline(text: string, status: Status, width: number, palette: Palette, mark = MARKS[status]): string[] {
  const [first = '', ...more] = wrap(text, width - 4)
  const indent = ' '.repeat(columns(mark) + 1)
  return [`${paint(status, palette)(mark)} ${first}`, ...more.map((line) => `${indent}${line}`)]
}

function summary({ results, hosts }: Report, width: number, palette: Palette): string[] {
  const totals = totalsOf(results)
  const other = hosts === undefined ? `${totals.known} known` : `${totals.told} not judged`
  const text = `${totals.pass} passed, ${totals.fail} failed, ${other}, ${totals['n/a']} not applicable`
  return wrap(text, width).map(paint(totals.fail === 0 ? 'pass' : 'fail', palette))
}

function paint(status: Status, palette: Palette): Paint {
  if (status === 'told') return palette.faint
  return status === 'n/a' ? palette.absent : palette[status]
}

function asIs(text: string): string {
  return text
}
