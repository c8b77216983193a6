import { styleText } from 'node:util'
import { showInvisible } from '@repertoire/core'
import { checkOptions, flag, number, type OptionTable, withDefault } from '@repertoire/core/options'
import { areasOf, markOf, notesOf, totalsOf } from './matrix.ts'
import { factsOf, type Report, type Status } from './report.ts'

/** How a terminal report is drawn. */
export interface TerminalOptions {
  /** Whether it has colours. Default false. */
  readonly color?: boolean | undefined
  /** Titles of checks are cut at this column. Longer reasons are left to the terminal. Default 100. */
  readonly width?: number | undefined
}

const DEFAULT_WIDTH = 100
const TERMINAL_OPTIONS: OptionTable<TerminalOptions> = {
  color: withDefault(false, flag),
  width: withDefault(DEFAULT_WIDTH, number('columns', { from: 0, isUnlimited: true })),
}
const LEVELS = { MUST: '', SHOULD: 'should: ', INFO: 'not judged: ' }
const COLORS = { pass: 'green', fail: 'red', known: 'yellow', 'n/a': 'blue', told: 'dim' } as const
/** Lines of one reason; the other reports have all of it. */
const MAX_LINES = 10

/**
 * A report for a terminal: the adapters with their numbers, a table of checks by area with a column for each number, a
 * note for everything that is more than a pass, and the totals of each adapter.
 */
export function renderTerminal(report: Report, options: TerminalOptions = {}): string {
  checkOptions('renderTerminal', TERMINAL_OPTIONS, options)
  const { color = false, width = DEFAULT_WIDTH } = options
  const style = (format: Parameters<typeof styleText>[0], text: string): string =>
    color ? styleText(format, text, { validateStream: false }) : text
  const paint = (status: Status, text: string): string => style(COLORS[status], text)
  const adapters = report.adapters.map(showInvisible)
  const ids = report.checks.map(({ id }) => showInvisible(id))
  const idChars = Math.max(...ids.map(({ length }) => length))
  const titleChars = width - 5 * adapters.length - idChars - 4
  const lines = [
    ...adapters.map((name, at) => `${centered(String(at + 1))} ${name}`),
    '',
    ...areasOf(report).flatMap(({ area, rows }) => [
      style('bold', adapters.map((_, at) => centered(String(at + 1))).join('') + `  ${area}`),
      ...rows.map(({ check: { id, level, title }, cells }) => {
        const marks = cells.map((cell) => (cell ? paint(cell.status, centered(markOf(cell))) : centered('')))
        const demand = showInvisible(LEVELS[level] + title.replace(/^\[[^\]]*\] /, ''))
        return `${marks.join('')}  ${showInvisible(id).padEnd(idChars)}  ${style('dim', cut(demand, titleChars))}`.trimEnd()
      }),
      '',
    ]),
    ...notesOf(report).flatMap(({ status, mark, adapter, results, text }) => [
      `${paint(status, mark)} ${style('bold', showInvisible(adapter))}  ${showInvisible(results.map(({ id }) => id).join(', '))}`,
      ...shortened(text.split(/\r?\n/)).map((line) => `    ${showInvisible(line)}`),
      '',
    ]),
    ...factsOf(report).flatMap((text) => [showInvisible(text), '']),
    ...adapters.map((name, at) => {
      const counts = totalsOf(report).flatMap(({ status, mark, word, counts: of }) =>
        of[at] === 0 ? [] : paint(status, `${mark} ${of[at]} ${word}`),
      )
      return `${name}: ${counts.join(', ')}`
    }),
  ]
  return `${lines.join('\n')}\n`
}

/** A mark or a number in the middle of its column. */
function centered(text: string): string {
  return text.padStart(3 + Math.floor(text.length / 2)).padEnd(5)
}

function cut(text: string, maxChars: number): string {
  const characters = Array.from(text)
  if (characters.length <= maxChars) return text
  return maxChars < 1 ? '' : `${characters.slice(0, maxChars - 1).join('')}…`
}

function shortened(lines: readonly string[]): readonly string[] {
  if (lines.length <= MAX_LINES) return lines
  return [...lines.slice(0, MAX_LINES - 1), `… (${lines.length - MAX_LINES + 1} more lines)`]
}
