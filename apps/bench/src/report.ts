import { type Figures, type Measured, type Part, PARTS, type Unit, type Verdict } from './rows.ts'
import { median } from './timing.ts'

/** Shows the rows of a part with their aims, and all figures of its jobs if peers are among them. */
export function showPart(part: Part, measured: Measured, verdicts: readonly Verdict[]): string {
  const jobs = Object.entries(measured)
  const figures = jobs.flatMap(([job, rounds]) => (typeof rounds === 'string' ? [] : [{ job, rounds }]))
  const hasPeers = figures.some(({ rounds }) => rounds[0]?.['peer'] === 1)
  const reasons = jobs.flatMap(([job, rounds]) => (typeof rounds === 'string' ? [`  n/a: ${job}: ${rounds}\n`] : []))
  const title = `\n${PARTS[part].title}\n`
  return [title, hasPeers ? `${showFigures(part, figures)}\n` : '', showRows(verdicts), ...reasons].join('')
}

function showFigures(
  part: Part,
  jobs: readonly { readonly job: string; readonly rounds: readonly Figures[] }[],
): string {
  const all = new Set(jobs.flatMap(({ rounds }) => Object.keys(rounds[0] ?? {})))
  const names = [...all].filter((name) => name !== 'peer')
  const cell = (name: string, rounds: readonly Figures[]): string => {
    const samples = rounds.flatMap((figures) => figures[name] ?? [])
    if (samples.length === 0) return ''
    if (name === 'right') return `${(100 * Math.min(...samples)).toFixed(1)} %`
    return inUnit(median(samples), part === 'tokens' ? 'tokens' : name === 'heap' ? 'bytes' : 'ms')
  }
  return table([['', ...names], ...jobs.map(({ job, rounds }) => [job, ...names.map((name) => cell(name, rounds))])])
}

function showRows(verdicts: readonly Verdict[]): string {
  return table([
    ['', 'ours', 'other', 'measured', 'aim', ''],
    ...verdicts.map(({ name, of, peer, unit, aim, measured, isMet }) => {
      const title = peer === undefined ? name : `${name} (${peer})`
      const show = (value: number): string => (of.includes(' / ') ? `${digits(value)}×` : inUnit(value, unit))
      if (measured === undefined) return [title, '', '', 'n/a', `≤ ${show(aim)}`, 'NOT MEASURED']
      const { own, base, value } = measured
      const other = base === undefined ? '' : inUnit(base, unit)
      return [title, inUnit(own, unit), other, show(value), `≤ ${show(aim)}`, isMet ? 'met' : 'MISSED']
    }),
  ])
}

/** `12.3 ms`, `4.50 µs`, `2,048 bytes`. */
function inUnit(value: number, unit: Unit): string {
  if (unit !== 'ms') return `${Math.round(value).toLocaleString('en')} ${unit}`
  return Math.abs(value) < 1 ? `${digits(1_000 * value)} µs` : `${digits(value)} ms`
}

function digits(value: number): string {
  const size = Math.abs(value)
  return size >= 1_000 ? Math.round(value).toLocaleString('en') : value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2)
}

/** Sets columns: the first flush left, the others flush right. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const set = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)
  return rows.map((row) => `  ${row.map(set).join('  ').trimEnd()}\n`).join('')
}
