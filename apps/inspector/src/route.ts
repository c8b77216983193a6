import type { RowTag } from './model/timeline.ts'

/** The views, in the order of their keys 1 to 5. */
export const VIEWS = ['run', 'skills', 'window', 'compare', 'what-if'] as const
export type View = (typeof VIEWS)[number]

/** The names of views, as the page shows them. */
export const VIEW_NAMES: Readonly<Record<View, string>> = {
  run: 'Run',
  skills: 'Skills',
  window: 'Window',
  compare: 'Compare',
  'what-if': 'What if',
}

/** What can be filtered by. */
export const FILTERS = ['refused', 'asked', 'failed', 'changed', 'skills'] as const satisfies readonly RowTag[]

/** What the address says is shown. */
export interface Route {
  readonly run: string | undefined
  /** The place of a step, from 0. */
  readonly step: number | undefined
  /** The id of a call. */
  readonly call: string | undefined
  readonly view: View
  readonly query: string
  readonly filter: RowTag | undefined
  /** The runs that are compared. Empty: the reader has not chosen. */
  readonly compared: readonly string[]
}

/** Reads the part of an address after `#`: `RUN/STEP/CALL?view=skills&q=…`. Nothing in it is a reason to fail. */
export function readRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#/, '').split('?', 2)
  const [run, step, call] = path.split('/').map(decoded)
  const search = new URLSearchParams(query)
  const view = search.get('view')
  const filter = search.get('filter')
  const place = Number(step) - 1
  return {
    // The key of a first address is no run, and must not come into a link.
    run: run === '' || run?.startsWith('key=') ? undefined : run,
    step: Number.isInteger(place) && place >= 0 ? place : undefined,
    call: call === '' ? undefined : call,
    view: VIEWS.find((name) => name === view) ?? 'run',
    query: search.get('q') ?? '',
    filter: FILTERS.find((name) => name === filter),
    compared: search.getAll('with'),
  }
}

/** Writes the part of an address after `#`. */
export function writeRoute({ run, step, call, view, query, filter, compared }: Route): string {
  if (run === undefined) return '#'
  const path = [run, ...(step === undefined ? [] : [String(step + 1), ...(call === undefined ? [] : [call])])]
  const search = new URLSearchParams()
  if (view !== 'run') search.set('view', view)
  if (query !== '') search.set('q', query)
  if (filter !== undefined) search.set('filter', filter)
  for (const other of compared) search.append('with', other)
  const text = search.toString()
  return `#${path.map(encodeURIComponent).join('/')}${text === '' ? '' : `?${text}`}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
