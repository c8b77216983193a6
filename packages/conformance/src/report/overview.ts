import { MARKS, matrixOf, type MatrixRow, STATUSES, totalsOf, variantsOf } from './matrix.ts'
import { bold, escaped, tableOf } from './markdown-table.ts'
import type { Report, Result, Status } from './report.ts'

/**
 * A report as one small Markdown table, for a README: a row for each area, a column for each adapter, and how many
 * checks ended how. Below it are the totals, and the number of variants in which every check ran, or each host's version.
 */
export function renderOverview(report: Report): string {
  const { adapters, areas } = matrixOf(report)
  const rows = areas.map(({ area, rows: checks }) => [
    escaped(area),
    ...adapters.map((_, at) => counts(column(checks, at))),
  ])
  const all = areas.flatMap(({ rows: checks }) => checks)
  const table = tableOf(
    ['Checks of', ...adapters.map(escaped)],
    [
      ...rows,
      [bold(`all ${all.length}`), ...adapters.map((_, at) => bold(counts(column(all, at))))],
      report.hosts === undefined
        ? ['run in variants', ...adapters.map((adapter) => String(variantsOf(report, adapter).length))]
        : ['version', ...report.hosts.map(({ version }) => escaped(version))],
    ],
  )
  const otherStatuses = STATUSES.filter(
    (status) => status !== 'pass' && report.results.some((each) => each.status === status),
  )
  const legend = otherStatuses.map((status) => `${MARKS[status]} ${MEANINGS[status]}`).join(', ')
  return `${[...table, ...(legend === '' ? [] : ['', legend])].join('\n')}\n`
}

/** The meaning of a mark that needs an explanation. */
const MEANINGS: Readonly<Record<Status, string>> = {
  pass: 'passes',
  fail: 'fails',
  known: 'is known to fail',
  'n/a': 'is not applicable',
  told: 'is told and not judged',
}

function column(rows: readonly MatrixRow[], at: number): readonly Result[] {
  return rows.flatMap(({ cells }) => cells[at] ?? [])
}

function counts(results: readonly Result[]): string {
  const totals = totalsOf(results)
  return STATUSES.filter((status) => totals[status] > 0)
    .map((status) => `${MARKS[status]} ${totals[status]}`)
    .join(', ')
}
