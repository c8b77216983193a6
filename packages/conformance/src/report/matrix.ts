import type { Report, ReportedCheck, Result, Status } from './report.ts'

/** Every status, in the order of the totals. */
export const STATUSES: readonly Status[] = ['pass', 'fail', 'known', 'n/a', 'told']

/** The statuses that a report counts, in their order. Only hosts have results that are told. */
export function countedStatuses({ hosts }: Report): readonly Status[] {
  const other: Status = hosts === undefined ? 'told' : 'known'
  return STATUSES.filter((status) => status !== other)
}

/** The symbol of each status. */
export const MARKS: Readonly<Record<Status, string>> = { pass: '✓', fail: '✗', known: '~', 'n/a': '–', told: 'i' }

/** The symbol of a result: in brackets where the adapter works around what the framework does not do. */
export function markOf({ status, workaround }: Result): string {
  return workaround === undefined ? MARKS[status] : `(${MARKS[status]})`
}

/** A report as rows of checks and columns of adapters. */
export interface Matrix {
  readonly adapters: readonly string[]
  readonly areas: readonly { readonly area: ReportedCheck['area']; readonly rows: readonly MatrixRow[] }[]
  /** How many results of each status an adapter has, adapters in their order. */
  readonly totals: readonly Readonly<Record<Status, number>>[]
}

/** One check. */
export interface MatrixRow {
  readonly check: ReportedCheck
  /** One result an adapter, in their order; undefined if the report has none. */
  readonly cells: readonly (Result | undefined)[]
}

/** Lays a report out: areas and checks in the order of the report. */
export function matrixOf({ adapters, checks, results }: Report): Matrix {
  const found = new Map(results.map((result) => [cellKey(result.adapter, result.id), result]))
  const areas = new Map<ReportedCheck['area'], MatrixRow[]>()
  for (const check of checks) {
    const rows = areas.get(check.area) ?? []
    rows.push({ check, cells: adapters.map((adapter) => found.get(cellKey(adapter, check.id))) })
    areas.set(check.area, rows)
  }
  const totals = adapters.map((adapter) => totalsOf(results.filter((result) => result.adapter === adapter)))
  return { adapters, areas: [...areas].map(([area, rows]) => ({ area, rows })), totals }
}

/** How many results have each status. */
export function totalsOf(results: readonly Result[]): Record<Status, number> {
  const totals: Record<Status, number> = { pass: 0, fail: 0, known: 0, 'n/a': 0, told: 0 }
  for (const { status } of results) totals[status] += 1
  return totals
}

/** The names of the variants that ran for an adapter, in the order of the report. */
export function variantsOf({ results }: Report, adapter: string): readonly string[] {
  const ofAdapter = results.filter((result) => result.adapter === adapter)
  return [...new Set(ofAdapter.flatMap(({ variants = [] }) => variants.map(({ variant }) => variant)))]
}

/** Results of one adapter that have one status for one reason. */
export interface ReasonGroup {
  readonly adapter: string
  readonly status: Status
  readonly reason: string
  readonly results: readonly Result[]
}

/** Groups results with the same adapter, status and reason, in the order of the report. */
export function byReason(
  results: readonly Result[],
  reasonOf: (result: Result) => string | undefined = ({ reason }) => reason,
): ReasonGroup[] {
  const groups = new Map<string, Result[]>()
  for (const result of results) {
    const key = JSON.stringify([result.adapter, result.status, reasonOf(result)])
    groups.set(key, [...(groups.get(key) ?? []), result])
  }
  return [...groups.values()].map((members) => {
    const [first] = members
    const { adapter, status } = first!
    return { adapter, status, reason: reasonOf(first!) ?? 'no reason was given', results: members }
  })
}

/** Groups the results that differ as all of their adapter do. */
export function byDifference(results: readonly Result[]): ReasonGroup[] {
  return byReason(results.flatMap((result) => (result.differs === undefined ? [] : [result])), ({ differs }) => differs) // prettier-ignore
}

/** Groups the results of adapters with the same workaround, in the order of the report. */
export function byWorkaround(results: readonly Result[]): ReasonGroup[] {
  return byReason(
    results.flatMap((result) => (result.workaround === undefined ? [] : [result])),
    ({ workaround }) => workaround,
  )
}

/** Groups results that pass only in variants with a certain capability, in the order of the report. */
export function byAbsence(results: readonly Result[]): ReasonGroup[] {
  return byReason(
    results.flatMap((result) => (result.absent === undefined ? [] : [result])),
    ({ absent }) => absent,
  )
}

function cellKey(adapter: string, id: string): string {
  return JSON.stringify([adapter, id])
}
