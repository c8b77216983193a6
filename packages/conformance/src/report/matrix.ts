import type { Report, ReportedCheck, Result, Status } from './report.ts'

/** The symbol and the word of each status, in the order of totals. */
const STATUSES: Readonly<Record<Status, readonly [mark: string, word: string]>> = {
  pass: ['✓', 'passed'],
  fail: ['✗', 'failed'],
  known: ['~', 'known to differ'],
  'n/a': ['–', 'not applicable'],
  told: ['i', 'not judged'],
}

/** The symbol of a result: in brackets if the adapter works around what the framework does not do. */
export function markOf({ status, workaround }: Pick<Result, 'status' | 'workaround'>): string {
  return workaround === undefined ? STATUSES[status][0] : `(${STATUSES[status][0]})`
}

/** The rows of an area: its checks, each with a result of every adapter, in their order. */
export interface Area {
  readonly area: string
  readonly rows: readonly { readonly check: ReportedCheck; readonly cells: readonly (Result | undefined)[] }[]
}

/** Lays a report out as rows of checks and columns of adapters. */
export function areasOf({ adapters, checks, results }: Report): readonly Area[] {
  const rows = checks.map((check) => ({
    check,
    cells: adapters.map((name) => results.find(({ adapter, id }) => adapter === name && id === check.id)),
  }))
  return [...Map.groupBy(rows, ({ check }) => check.area)].map(([area, ofArea]) => ({ area, rows: ofArea }))
}

/** How many results of an adapter have a status. */
interface Total {
  readonly status: Status
  /** `✓`, `passed` and 3. */
  readonly mark: string
  readonly word: string
  readonly counts: readonly number[]
}

/** Counts the results of each status that the report has, a number for each adapter. */
export function totalsOf({ adapters, results }: Report): readonly Total[] {
  return (Object.keys(STATUSES) as Status[]).flatMap((status) => {
    const found = results.filter((result) => result.status === status)
    const [mark, word] = STATUSES[status]
    const counts = adapters.map((adapter) => found.filter((result) => result.adapter === adapter).length)
    return found.length === 0 ? [] : [{ status, mark, word, counts }]
  })
}

/** The names of the variants that ran for an adapter, in the order of the report. */
export function variantsOf({ results }: Report, adapter: string): readonly string[] {
  return [...new Set(results.flatMap((result) => (result.adapter === adapter ? (result.variants ?? []) : [])))]
}

/** Something to say about a result: of one that passes, too. */
interface Remark {
  readonly status: Status
  readonly mark: string
  readonly text: string
}

/** Everything that there is to say about a result. */
export function remarksOf(result: Result): readonly Remark[] {
  const { status, reason, workaround, absent, differs, documented } = result
  const why = reason || (status === 'pass' ? '' : 'no reason was given')
  const own = [why, documented && `Its documentation: ${documented}`].filter(Boolean).join('\n')
  const remarks: readonly (readonly [Status, mark: string, text: string | undefined])[] = [
    [status, STATUSES[status][0], own],
    ['pass', markOf(result), workaround && `Worked around. ${workaround}`],
    ['known', STATUSES.known[0], differs && `Differs in all checks. ${differs}`],
    ['n/a', STATUSES['n/a'][0], absent && `Not applicable ${absent}`],
  ]
  return remarks.flatMap(([of, mark, text]) => (text ? [{ status: of, mark, text }] : []))
}

/** A remark with the results of one adapter that it is about. */
export interface Note extends Remark {
  readonly adapter: string
  readonly results: readonly Result[]
}

/** All remarks of a report, equal ones of an adapter together, and failures at the end. */
export function notesOf({ results }: Report): readonly Note[] {
  const all = results.flatMap((result) => remarksOf(result).map((remark) => ({ ...remark, result })))
  const groups = Map.groupBy(all, ({ result, mark, text }) => JSON.stringify([result.adapter, mark, text]))
  const notes = [...groups.values()].map((of): Note => {
    const { result, ...remark } = of[0]!
    return { ...remark, adapter: result.adapter, results: of.map((each) => each.result) }
  })
  return [...notes.filter(({ status }) => status !== 'fail'), ...notes.filter(({ status }) => status === 'fail')]
}
