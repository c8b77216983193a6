import { LRUCache } from 'lru-cache'
import type { SessionStore } from '../../ports/session-store.ts'
import type { Session } from '../../session/session.ts'
import type { SavedSession } from '../../session/state/seal.ts'
import { inTime } from '../../time-limit.ts'
import type { Repertoire } from '../repertoire.ts'
import { checkPlace, checkRecord } from './check-place.ts'
import { keepLease, takeLease } from './lease.ts'
import { createSaves, type Saves } from './saves.ts'
import type { CompleteOptions, StoredSession } from './stored-session.ts'

/** Versions that this process has seen, of so many sessions of a store. */
const MAX_SEEN = 10_000
const seenVersions = new WeakMap<SessionStore, LRUCache<string, number>>()

/** Does what `openStoredSession` says. */
export async function openNow(repertoire: Repertoire, options: CompleteOptions): Promise<StoredSession> {
  const { store, id, lease: duration, wait, timeToLive, storeTimeout, atLeast = 0, signal, ...rest } = options
  const settings = { store, duration, timeout: storeTimeout }
  const seen = seenOf(store)
  const taken = await takeLease(settings, id, wait, signal)
  const { lease } = taken
  const over = new AbortController()
  const lost = new AbortController()
  const kept = keepLease(settings, taken, (error) => {
    over.abort(error)
    lost.abort(error)
  })
  const release = (): Promise<void> => inTime(store.release(lease), storeTimeout, 'The session store')
  try {
    const place = { store, id, atLeast: Math.max(atLeast, seen.get(id) ?? 0) }
    const loaded = await inTime(store.load(id), storeTimeout, 'The session store', signal)
    // What was removed, or has outlived its time, begins anew, with no rights; unless the host knows that it must be there.
    const record = checkRecord(loaded === undefined ? { ...place, atLeast } : place, loaded)
    let saves: Saves | undefined
    const session = repertoire.openSession({
      ...rest,
      id,
      ...(record !== undefined && { saved: record.saved as SavedSession }),
      checkpoint: async () => saves?.save(),
      until: over.signal,
    })
    if (record !== undefined) checkPlace(place, session.state, record)
    const { save, version } = (saves = createSaves(
      {
        repertoire,
        store,
        lease,
        kept,
        session,
        timeToLive,
        timeout: storeTimeout,
        onSaved: (newest) => seen.set(id, newest),
      },
      record?.version ?? 0,
    ))
    seen.set(id, version())
    let closing: Promise<void> | undefined
    const close = (): Promise<void> => (closing ??= closeNow())
    const closeNow = async (): Promise<void> => {
      over.abort(new DOMException('The stored session was closed.', 'AbortError'))
      try {
        if (version() > 0 || hasBegun(session)) await save()
      } finally {
        kept.stop()
        // It runs out by itself.
        await release().catch(() => undefined)
      }
    }
    return {
      session,
      signal: signal === undefined ? lost.signal : AbortSignal.any([lost.signal, signal]),
      token: lease.token,
      get version() {
        return version()
      },
      save,
      close,
      [Symbol.asyncDispose]: close,
    }
  } catch (error) {
    kept.stop()
    await release().catch(() => undefined)
    throw error
  }
}

/** Whether anything has happened in a session. One in which nothing has need not be stored. */
function hasBegun({ state: { active, granted, open, summary, matched, ended } }: Session): boolean {
  const lists = [active, granted, open, matched ?? []]
  return ended || summary !== undefined || lists.some(({ length }) => length > 0)
}

function seenOf(store: SessionStore): LRUCache<string, number> {
  const seen = seenVersions.get(store) ?? new LRUCache<string, number>({ max: MAX_SEEN })
  seenVersions.set(store, seen)
  return seen
}
