import { batch, computed, effect, signal } from '@preact/signals'
import { ask, listen } from './client.ts'
import type { CallDetail, StepDetail } from './model/detail.ts'
import type { Overview, RunSummary } from './model/overview.ts'
import type { Row } from './model/timeline.ts'
import { readRoute, type Route, type View, writeRoute } from './route.ts'

/** What was read so far. Undefined: nothing yet. */
export const overview = signal<Overview | undefined>(undefined)
/** Whether logs are being read, or all have been. `none`: there is no log to read. */
export const reading = signal<'reading' | 'done' | 'none'>('reading')
/** What went wrong, in words for a person. */
export const problem = signal<string | undefined>(undefined)
/** Whether a running agent is followed, and the command can be reached. */
export const live = signal<boolean | undefined>(undefined)
/** What the address says. */
export const route = signal<Route>(readRoute(location.hash))
/** The rows of the run, without those that the query leaves out. */
export const rows = signal<readonly Row[]>([])
/** The key of the selected row. */
export const selected = signal<string | undefined>(undefined)
/** The places of steps that are folded. */
export const folded = signal<ReadonlySet<number>>(new Set())
/** What the panel at the side shows. */
export const detail = signal<
  | { readonly kind: 'step'; readonly place: number; readonly step: StepDetail }
  | { readonly kind: 'call'; readonly index: number; readonly place: number; readonly call: CallDetail }
  | undefined
>(undefined)
/** Whether the panel covers the page, on screens without room for it. */
export const detailOpen = signal(false)
/** Whether the list of runs covers the page, on small screens. */
export const runsOpen = signal(false)
export const helpOpen = signal(false)

/** The run that is shown: that of the address, or the first. */
export const run = computed<RunSummary | undefined>(() => {
  const runs = overview.value?.runs
  return runs?.find(({ id }) => id === route.value.run) ?? runs?.[0]
})

/** The rows that are not filtered out or folded. A step stays where one of its rows does. */
export const visibleRows = computed<readonly Row[]>(() => {
  const { filter } = route.value
  const hidden = folded.value
  const all = rows.value
  const kept =
    filter === undefined ? undefined : new Set(all.filter(({ tags }) => tags.includes(filter)).map(({ step }) => step))
  if (filter === undefined && hidden.size === 0) return all
  return all.filter((row) =>
    row.kind === 'step'
      ? kept?.has(row.step) !== false
      : !hidden.has(row.step) && (filter === undefined || row.tags.includes(filter)),
  )
})

/** Changes what is shown, and the address with it. */
export function navigate(change: Partial<Route>, how: 'push' | 'replace' = 'push'): void {
  const current = route.value
  const next = { ...current, run: current.run ?? run.value?.id, ...change }
  const hash = writeRoute(next)
  if (hash !== location.hash) {
    if (how === 'push') history.pushState(null, '', hash)
    else history.replaceState(null, '', hash)
  }
  route.value = next
}

/** Shows a view. */
export function show(view: View): void {
  navigate({ view })
}

/** Selects a row, and puts it into the address. */
export async function select(row: Row): Promise<void> {
  const id = run.value?.id
  if (id === undefined) return
  selected.value = row.key
  const call = row.call === undefined ? undefined : await ask('callId', id, row.call)
  if (selected.value === row.key) navigate({ run: id, step: row.step, call }, 'replace')
}

/** Shows a call or a step in the panel. */
export function open(step: number, call?: string): void {
  batch(() => {
    navigate({ step, call })
    detailOpen.value = true
  })
}

/** Shows a link in words that a person can paste. The key of the address is never in it. */
export function linkTo(): string {
  return `${location.origin === 'null' ? location.pathname : location.origin + location.pathname}${writeRoute(route.value)}`
}

/** Starts what follows the signals. */
export function start(): void {
  addEventListener('popstate', () => (route.value = readRoute(location.hash)))
  addEventListener('hashchange', () => (route.value = readRoute(location.hash)))
  listen((told) => {
    if ('overview' in told) overview.value = told.overview
    else live.value = told.live
  })
  followRows()
  followDetail()
}

function followRows(): void {
  let turn = 0
  const runId = computed(() => run.value?.id)
  const size = computed(() => overview.value?.events)
  const query = computed(() => route.value.query)
  let shown: string | undefined
  effect(() => {
    const id = runId.value
    void size.value
    const text = query.value
    const mine = ++turn
    if (id === undefined) return
    void ask('rows', id, text).then((found) => {
      if (mine !== turn) return
      batch(() => {
        rows.value = found
        if (shown !== id) folded.value = new Set()
        shown = id
      })
    })
  })
}

function followDetail(): void {
  let turn = 0
  const place = computed(() => {
    const { step, call } = route.value
    return JSON.stringify([run.value?.id, step, call, overview.value?.events])
  })
  effect(() => {
    const [id, step, call] = JSON.parse(place.value) as [string | null, number | null, string | null]
    const mine = ++turn
    if (id === null || step === null) {
      detail.value = undefined
      return
    }
    void read(id, step, call ?? undefined).then((found) => {
      if (mine !== turn) return
      detail.value = found
      const key = found?.kind === 'call' ? `c${found.index}` : `s${step}`
      if (selected.value === undefined || found?.kind === 'call') selected.value = key
    })
  })
}

async function read(id: string, place: number, callId: string | undefined): Promise<typeof detail.value> {
  const index = callId === undefined ? undefined : await ask('callAt', id, place, callId)
  const call = index === undefined ? undefined : await ask('call', id, index)
  if (index !== undefined && call !== undefined) return { kind: 'call', index, place, call }
  const step = await ask('step', id, place)
  return step === undefined ? undefined : { kind: 'step', place, step }
}
