import { ChildFailure, type ChildOptions, runChild } from '../run-child.ts'
import { median, type Summary, summarise } from '../statistics.ts'
import type { EngineId } from '../stores/bare.ts'
import type { SessionStoreId } from '../stores/sessions.ts'
import type { StoreExtent } from '../stores/time.ts'

/** A store on an engine. Milliseconds. */
export interface StoreRow {
  readonly id: EngineId
  readonly title: string
  readonly absent?: string
  readonly times?: StoreSummaries
}

/** Ours, and what it is beside. */
interface StoreSummaries {
  readonly save: Pair
  readonly load: Pair
  /** Beside a catalog of folders. */
  readonly scan: Pair
  readonly activation: Pair
  /** A tenant's catalog, opened when it is asked for. */
  readonly tenant: Summary
  readonly tenants: number
  readonly kept: { readonly half: number; readonly all: number }
  readonly opened: number
  readonly asked: number
}

/** A time, that of what it is beside, and how many times as long it is. */
export interface Pair {
  readonly own: Summary
  readonly bare: Summary
  readonly over: number
}

const TITLES: Readonly<Record<EngineId, string>> = { redis: 'Redis', postgres: 'PostgreSQL', s3: 'S3 (our own server)' }

export interface StoreOptions extends ChildOptions, StoreExtent {
  readonly progress: (text: string) => void
}

export async function measureStores({
  progress,
  source,
  timeout,
  ...extent
}: StoreOptions): Promise<readonly StoreRow[]> {
  const rows: StoreRow[] = []
  for (const id of Object.keys(TITLES) as EngineId[]) {
    progress(`stores: ${TITLES[id]}`)
    const row = { id, title: TITLES[id] }
    // Over HTTP, thousands of skills are made by minutes of requests.
    const tenants = id === 's3' ? Math.min(20, extent.tenants) : extent.tenants
    try {
      const answer = await runChild({ kind: 'stores', engine: id, ...extent, tenants }, { source, timeout })
      if ('absent' in answer) rows.push({ ...row, absent: answer.absent })
      else {
        const times = {
          save: pairOf(answer.saves.own, answer.saves.bare),
          load: pairOf(answer.loads.own, answer.loads.bare),
          scan: pairOf(answer.scan.own, answer.scan.folder),
          activation: pairOf(answer.activate.own, answer.activate.folder),
          tenant: summarise(answer.tenants.times),
          tenants: answer.tenants.times.length,
          kept: answer.tenants.kept,
          opened: answer.tenants.opened,
          asked: answer.tenants.asked,
        }
        rows.push({ ...row, times })
      }
    } catch (error) {
      if (!(error instanceof ChildFailure)) throw error
      rows.push({ ...row, absent: error.message })
    }
  }
  return rows
}

/** A store of sessions. Milliseconds. */
export interface SessionRow {
  readonly id: SessionStoreId
  readonly title: string
  readonly absent?: string
  readonly times?: Readonly<Record<'save' | 'load' | 'turn', Pair>>
}

const SESSION_TITLES: Readonly<Record<SessionStoreId, string>> = {
  redis: 'Redis',
  postgres: 'PostgreSQL',
  file: 'a file',
}

/** Measures each store of sessions beside what is under it. */
export async function measureSessions({
  progress,
  runs,
  ...child
}: ChildOptions & Pick<StoreOptions, 'progress'> & { readonly runs: number }): Promise<readonly SessionRow[]> {
  const rows: SessionRow[] = []
  for (const id of Object.keys(SESSION_TITLES) as SessionStoreId[]) {
    const row = { id, title: SESSION_TITLES[id] }
    progress(`sessions: ${row.title}`)
    try {
      const answer = await runChild({ kind: 'sessions', store: id, runs }, child)
      if ('absent' in answer) rows.push({ ...row, absent: answer.absent })
      else {
        const [save, load, turn] = [answer.save, answer.load, answer.turn].map(({ own, bare }) => pairOf(own, bare))
        rows.push({ ...row, times: { save: save!, load: load!, turn: turn! } })
      }
    } catch (error) {
      if (!(error instanceof ChildFailure)) throw error
      rows.push({ ...row, absent: error.message })
    }
  }
  return rows
}

function pairOf(own: readonly number[], bare: readonly number[]): Pair {
  return { own: summarise(own), bare: summarise(bare), over: median(own) / median(bare) }
}
