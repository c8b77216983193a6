import { isSkillError } from '@repertoire/core'
import { openSkillStores, type SkillStores, type SkillStoresOptions } from '../../src/index.ts'
import { faultsOf } from '../contention/judge.ts'
import { connect, startEngine, type EngineName, type EngineServer, type WorkerPlace } from '../contention/places.ts'
import { prepareWork, work, type WorkReport } from '../contention/work.ts'
import { sessionFaults, workInSessions, type SessionReport } from './session-work.ts'

/** What is run. */
export interface RestartsOptions {
  readonly engine: EngineName
  /** How long the workers work, in milliseconds. */
  readonly duration: number
  /** Of the times at which the server is killed, and for how long. */
  readonly seed: number
}

/** What came of it. */
export interface RestartsReport {
  /** Nothing acknowledged was lost, nothing was done twice or torn, every error had a code that is documented. */
  readonly faults: readonly string[]
  readonly kills: number
  /** Writes of skills that were acknowledged, those that may have happened, and saves of sessions. */
  readonly writes: number
  readonly uncertain: number
  readonly saves: number
  /** The longest time from a start of the server to the next write that was acknowledged, in milliseconds. */
  readonly longestRecovery: number
  readonly errors: Readonly<Record<string, number>>
}

/** How long each worker waits for the engine: some through a restart, one not. */
const TIMEOUTS_MS = [10_000, 10_000, 300]

const UP_MS = { least: 300, most: 3_000 }
const DOWN_MS = { least: 20, most: 1_500 }

/** Works on an engine whose server is killed again and again, and judges what is left. */
export async function runRestarts({ engine, duration, seed }: RestartsOptions): Promise<RestartsReport> {
  const server = await startEngine(engine)
  const places: WorkerPlace[] = []
  try {
    const open = async (timeout: number) => {
      const place = await connect(engine, server.address)
      places.push(place)
      const stores = await opened({ engine: place.engine, layer: 'personal', timeout })
      return { store: stores.tenant('acme'), sessions: place.sessions }
    }
    const judge = await open(30_000)
    await prepareWork(judge.store)
    const workers = await Promise.all(TIMEOUTS_MS.map(open))
    const end = performance.now() + duration
    const goesOn = (): boolean => performance.now() < end
    const killing = killAgain(server, goesOn, randomFrom(seed), () =>
      judge.store.saveResource('files', 'after.md', '1'),
    )
    const newest = new Map<string, number>()
    const stores = workers.flatMap(({ sessions: store }) => (store === undefined ? [] : [store]))
    const [reports, sessions, { kills, longestRecovery }] = await Promise.all([
      Promise.all(workers.map(({ store }, worker) => work(store, { worker, goesOn }))),
      Promise.all(stores.map((store) => workInSessions(store, newest, goesOn))),
      killing,
    ])
    const faults = [...(await faultsOf(judge.store, reports)), ...sessionFaults(sessions)]
    return { faults, kills, longestRecovery, ...totals(reports, sessions) }
  } finally {
    for (const place of places) await place.close()
    await server.close()
  }
}

/** Nothing is killed yet: one that does not wait long may only find a machine that is busy. */
async function opened(options: SkillStoresOptions, attempts = 20): Promise<SkillStores> {
  try {
    return await openSkillStores(options)
  } catch (error) {
    if (!isSkillError(error) || error.code !== 'TIMED_OUT' || attempts === 1) throw error
    return opened(options, attempts - 1)
  }
}

async function killAgain(
  server: EngineServer,
  goesOn: () => boolean,
  random: () => number,
  write: () => Promise<unknown>,
): Promise<{ readonly kills: number; readonly longestRecovery: number }> {
  const pause = ({ least, most }: typeof UP_MS): Promise<void> =>
    new Promise((resolve) => setTimeout(resolve, least + random() * (most - least)))
  let longestRecovery = 0
  let kills = 0
  while (goesOn()) {
    await pause(UP_MS)
    await server.kill()
    kills++
    await pause(DOWN_MS)
    await server.start()
    const since = performance.now()
    await write()
    longestRecovery = Math.max(longestRecovery, Math.round(performance.now() - since))
  }
  return { kills, longestRecovery }
}

function totals(reports: readonly WorkReport[], sessions: readonly SessionReport[]) {
  const errors: Record<string, number> = {}
  for (const each of [...reports, ...sessions]) {
    for (const [code, number] of Object.entries(each.errors)) errors[code] = (errors[code] ?? 0) + number
  }
  const outcomes = reports.flatMap((each) => [
    each.lines,
    each.stamps,
    each.created,
    each.deleted,
    ...Object.values(each.files),
  ])
  return {
    writes: outcomes.reduce((sum, { done }) => sum + done.length, 0),
    uncertain: outcomes.reduce((sum, { uncertain }) => sum + uncertain.length, 0),
    saves: sessions.reduce((sum, { saves }) => sum + saves, 0),
    errors,
  }
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
