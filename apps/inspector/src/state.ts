import { batch, computed, effect, signal } from '@preact/signals'
import { ask, listen } from './client.ts'
import type { CallDetail, StepDetail } from './model/detail.ts'
import type { Overview, RunSummary } from './model/overview.ts'
import { ROW_KINDS, ROW_TAGS, type RowIndex, type RowPlace } from './model/timeline.ts'
import { readRoute, type Route, type View, writeRoute } from './route.ts'

/** What was read so far. Undefined: nothing yet. */
export const overview = signal<Overview | undefined>(undefined)
/** Whether logs are being read, or all have been. `none`: there is no log. `locked`: the key is missing, or another. */
export const reading = signal<'reading' | 'done' | 'none' | 'locked'>('reading')
/** The names of the logs, also of those without an event. */
export const logs = signal<readonly string[]>([])
/** What went wrong, in words for a person. */
export const problem = signal<string | undefined>(undefined)
/** Whether a running agent is followed, and the command can be reached. */
export const live = signal<boolean | undefined>(undefined)
/** Older events of running agents that the command did not keep. */
export const missed = signal(0)

/** What a program that has made the logs, such as the demo, says of them. */
export interface Introduction {
  readonly notice: string
  /** What is shown first: an address from `#` on. */
  readonly start: string
}

/** What the command says of logs that a program has made, such as the demo. */
export const introduction = signal<Introduction | undefined>(undefined)
/** What the address says. */
export const route = signal<Route>(readRoute(location.hash))
/** The rows of the run, without those that the query leaves out. */
export const rows = signal<RowIndex | undefined>(undefined)
/** The selected row. */
export const selected = signal<RowPlace | undefined>(undefined)
/** What the panel at the side shows. */
export const detail = signal<
  | { readonly kind: 'step'; readonly place: number; readonly step: StepDetail }
  | { readonly kind: 'call'; readonly index: number; readonly place: number; readonly call: CallDetail }
  | undefined
>(undefined)
/** Whether the list of runs covers the page, on small screens. */
export const runsOpen = signal(false)
export const helpOpen = signal(false)

/** The run that is shown: that of the address, or the first. */
export const run = computed<RunSummary | undefined>(() => {
  const runs = overview.value?.runs
  return runs?.find(({ id }) => id === route.value.run) ?? runs?.[0]
})

const STEP = ROW_KINDS.indexOf('step')

/** Returns the places of the rows that pass the filter. A step stays if one of its rows does. */
export const visibleRows = computed<Uint32Array>(() => {
  const { filter } = route.value
  const all = rows.value
  if (all === undefined) return new Uint32Array()
  const { kind, step, tags } = all
  const places = Uint32Array.from(kind.keys())
  if (filter === undefined) return places
  const bit = 1 << ROW_TAGS.indexOf(filter)
  const kept = new Set(places.filter((at) => (tags[at]! & bit) !== 0).map((at) => step[at]!))
  return places.filter((at) => (kind[at] === STEP ? kept.has(step[at]!) : (tags[at]! & bit) !== 0))
})

/** How many rows of each run hold the words of the query. Undefined: there is no query. */
export const found = signal<ReadonlyMap<string, number> | undefined>(undefined)

/** Which row is at a place in `rows`. */
export function placeAt(at: number | undefined): RowPlace | undefined {
  const all = rows.value
  if (all === undefined || at === undefined || at < 0 || at >= all.kind.length) return undefined
  return { kind: ROW_KINDS[all.kind[at]!]!, step: all.step[at]!, item: all.item[at]! }
}

/** The place of the selected row in a list of places in `rows`; -1: it is not there. */
export function findSelected(list: Uint32Array): number {
  const all = rows.value
  const place = selected.value
  if (all === undefined || place === undefined) return -1
  const kind = ROW_KINDS.indexOf(place.kind)
  return list.findIndex((at) => all.step[at] === place.step && all.item[at] === place.item && all.kind[at] === kind)
}

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

/** Shows what is said of the logs, and what it begins with if the address says nothing. */
export function introduce(given: Introduction | undefined): void {
  introduction.value = given
  if (given === undefined || route.value.run !== undefined) return
  navigate(readRoute(given.start), 'replace')
}

/** Shows a view. */
export function show(view: View): void {
  navigate({ view })
}

/** Selects a row, and puts it into the address. */
export async function select(row: RowPlace | undefined): Promise<void> {
  const id = run.value?.id
  if (id === undefined || row === undefined) return
  selected.value = row
  const call = row.kind === 'call' ? await ask('callId', id, row.item) : undefined
  if (selected.value === row) navigate({ run: id, step: row.step, call }, 'replace')
}

/** Leads the keyboard into the panel. */
export function enterDetail(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('.detail')?.focus())
}

/** Closes the panel, and leads the keyboard back to the rows. */
export function closeDetail(): void {
  navigate({ step: undefined, call: undefined }, 'replace')
  document.querySelector<HTMLElement>('main [data-list]')?.focus()
}

/** Starts what follows the signals. */
export function start(): void {
  addEventListener('popstate', () => (route.value = readRoute(location.hash)))
  addEventListener('hashchange', () => (route.value = readRoute(location.hash)))
  listen((told) => {
    if ('overview' in told) overview.value = told.overview
    else if ('isFull' in told) location.reload()
    else
      batch(() => {
        live.value = told.live
        missed.value = told.missed
      })
  })
  followRows()
  followDetail()
}

/** How long a person may pause while typing, in milliseconds. */
const TYPING_MS = 120

function followRows(): void {
  const wanted = computed(() => JSON.stringify([run.value?.id, route.value.query, overview.value?.events]))
  let shown: { readonly id: string; readonly query: string } | undefined
  let isAsking = false
  // One question at a time: while a log is read, or a person types, the next one is about what there is then.
  const fetch = async (): Promise<void> => {
    if (isAsking) return
    isAsking = true
    for (let asked = ''; asked !== wanted.value;) {
      asked = wanted.value
      const [id, query] = JSON.parse(asked) as [string | null, string]
      if (id === null) break
      const inRun = await ask('rows', id, query)
      const inAll = query === '' ? undefined : new Map(await ask('found', query))
      if (run.value?.id !== id) continue
      batch(() => {
        rows.value = inRun
        found.value = inAll
        rowsVersion.value++
        shown = { id, query }
      })
    }
    isAsking = false
  }
  effect(() => {
    const [id, query] = JSON.parse(wanted.value) as [string | null, string]
    if (shown === undefined || shown.id !== id || shown.query === query) void fetch()
    else setTimeout(fetch, TYPING_MS)
  })
}

/** Rises with every new `rows`: the words of rows are asked for again. */
export const rowsVersion = signal(0)

function followDetail(): void {
  let turn = 0
  const place = computed(() => {
    const { step, call } = route.value
    return JSON.stringify([run.value?.id, step, call, overview.value?.events])
  })
  effect(() => {
    const [id, step, call] = JSON.parse(place.value) as [string | null, number | null, string | null]
    const mine = ++turn
    const chosen = selected.peek()
    if (id === null || step === null) {
      detail.value = undefined
      return
    }
    void read(id, step, call ?? undefined).then((next) => {
      if (mine !== turn) return
      detail.value = next
      // Another row may be selected by now, whose call is still looked up.
      if (next === undefined || selected.peek() !== chosen) return
      const { kind, step: at } = chosen ?? {}
      if (next.kind === 'call') selected.value = { kind: 'call', step, item: next.index }
      else if (at !== step || kind === 'call') selected.value = { kind: 'step', step, item: 0 }
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
