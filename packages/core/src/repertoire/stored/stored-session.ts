import { RecentEntries } from '../../recent-entries.ts'
import {
  anyText,
  number,
  repertoireKind,
  required,
  signal as signalKind,
  timeLimit,
  withDefault,
  withMethods,
  checkOptions,
  type OptionTable,
  tableWithout,
} from '@repertoire/skill-md/internal'
import type { SessionStore } from '../../ports/session-store.ts'
import { openAdapterSession } from '../adapter-session.ts'
import type { AdapterSession } from '../../session/adapter-session.ts'
import type { Session } from '../../session/session.ts'
import type { SavedSession } from '../../session/state/seal.ts'
import { checkSessionId } from '../../store/memory-sessions.ts'
import { messageOf } from '../../text/message.ts'
import { inTime } from '../../time-limit.ts'
import { SESSION_OPTIONS } from '../option-tables.ts'
import type { Repertoire, SessionOptions } from '../options.ts'
import { type Saves, checkPlace, checkRecord, createSaves } from './saves.ts'
import { keepLease, takeLease } from './lease.ts'

/** How a session in a store is opened. Times are in milliseconds. */
export interface StoredSessionOptions extends Omit<SessionOptions, 'id' | 'saved'> {
  readonly store: SessionStore
  /** The name of the task, such as the id of a chat. */
  readonly id: string
  /**
   * How long the lease lasts unless it is renewed, which happens three times as often: after a crash, so long nobody
   * can work on the session. Default 15,000.
   */
  readonly lease?: number | undefined
  /** How long to wait while another process works on the session. Default 30,000. */
  readonly wait?: number | undefined
  /** How long a session is kept after it was used last. Default 30 days. */
  readonly timeToLive?: number | undefined
  /** How long each answer of the store may take. Default 10,000. */
  readonly storeTimeout?: number | undefined
  /**
   * The version that was stored when the host last saw the session (`version`), where it keeps that elsewhere, such as
   * beside the messages: anything older is refused. Default: what this process has seen.
   */
  readonly atLeast?: number | undefined
  /** Ends the wait for another process. Default: none. */
  readonly signal?: AbortSignal | undefined
}

/** A session of a store, as long as this process works on it. */
export interface StoredSession {
  readonly session: Session
  /** Aborts when the lease is lost, with a `SkillError` LEASE_LOST, or as `signal` of the options. For the run. */
  readonly signal: AbortSignal
  /** The fencing token of the lease. It grows, so that what has seen a larger one can refuse this one. */
  readonly token: number
  /** The version that is stored; 0: none is yet. */
  readonly version: number
  /**
   * Saves the session now, if it has changed. It is saved anyway before a request for consent goes out, before
   * anything begins that was consented to, and by `close`; after that, it does nothing.
   * @throws {SkillError} LEASE_LOST, STORE_CONFLICT, STORAGE_UNAVAILABLE, TIMED_OUT
   */
  save(): Promise<void>
  /**
   * Saves the session and gives the lease back. Nothing can be called in it afterwards: end the run first. Repeatable.
   * @throws {SkillError} as `save`; the lease is then given back all the same
   */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Versions that this process has seen, of so many sessions of a store. */
const MAX_SEEN = 10_000
const seenVersions = new WeakMap<SessionStore, RecentEntries<string, number>>()

const DEFAULTS = { lease: 15_000, wait: 30_000, timeToLive: 30 * 24 * 60 * 60_000, storeTimeout: 10_000 }

export const sessionStoreKind = withMethods(
  'a session store, such as `memorySessions()`',
  'acquire',
  'renew',
  'release',
  'load',
  'save',
)

export const STORED_SESSION_OPTIONS: OptionTable<StoredSessionOptions> = {
  ...tableWithout(SESSION_OPTIONS, 'saved'),
  store: required(sessionStoreKind),
  id: required(anyText),
  lease: withDefault(DEFAULTS.lease, timeLimit),
  wait: withDefault(DEFAULTS.wait, number('milliseconds', { from: 0, isUnlimited: true })),
  timeToLive: withDefault(DEFAULTS.timeToLive, timeLimit),
  storeTimeout: withDefault(DEFAULTS.storeTimeout, timeLimit),
  atLeast: number('versions', { from: 0, to: Number.MAX_SAFE_INTEGER, isWhole: true }),
  signal: signalKind,
}

/**
 * Opens a session of a store, new or as it was saved last. While it is open, no other process can open it. It continues
 * what is stored only if this repertoire's `sessionSecret` sealed it for this very place, as the newest version.
 * @throws {SkillError} SESSION_IN_USE, STATE_OUTDATED, STATE_INVALID, STATE_TAMPERED, SESSION_ENDED,
 * STORAGE_UNAVAILABLE, TIMED_OUT
 * @throws {TypeError} as `openSession`; the id is not one, or a time is not a number above 0
 */
export async function openStoredSession(repertoire: Repertoire, options: StoredSessionOptions): Promise<StoredSession> {
  checkOptions('openStoredSession', { repertoire: required(repertoireKind) }, { repertoire })
  checkOptions('openStoredSession', STORED_SESSION_OPTIONS, options)
  const { store, id, lease: duration = DEFAULTS.lease, timeToLive = DEFAULTS.timeToLive, signal, ...others } = options
  const { wait = DEFAULTS.wait, storeTimeout = DEFAULTS.storeTimeout, atLeast = 0, ...rest } = others
  checkSessionId(id)
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
    // What was removed, or has expired, begins anew, without rights, unless the host knows that it must exist.
    const record = checkRecord(loaded === undefined ? { ...place, atLeast } : place, loaded)
    let saves: Saves | undefined
    const session = openAdapterSession(repertoire, {
      ...rest,
      id,
      saved: record?.saved as SavedSession | undefined,
      checkpoint: async () => saves && save(),
      until: over.signal,
    })
    if (record !== undefined) checkPlace(place, session.state, record)
    const { save: saveNow, version } = (saves = createSaves(
      {
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
    // Later, a save would renew the lease that was given back.
    const save = async (): Promise<void> => closing ?? saveNow()
    const close = (): Promise<void> => (closing ??= closeNow())
    const closeNow = async (): Promise<void> => {
      over.abort(new DOMException('The stored session was closed.', 'AbortError'))
      try {
        if (version() > 0 || hasBegun(session)) await saveNow()
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
function hasBegun({ state: { active, granted, open, summary, matched = [], ended } }: AdapterSession): boolean {
  const lists = [active, granted, open, matched]
  return ended || summary !== undefined || lists.some(({ length }) => length > 0)
}

function seenOf(store: SessionStore): RecentEntries<string, number> {
  const seen = seenVersions.get(store) ?? new RecentEntries<string, number>(MAX_SEEN)
  seenVersions.set(store, seen)
  return seen
}

/**
 * Opens a session of a store, runs some work in it, and saves it before the result is returned: after a failure too.
 * Its skills stay active for the next time, here or in another process.
 * @param work returns when everything is done in the session: the end of a stream, and not its beginning
 * @throws what `work` throws; a save that fails then is reported to `onProblem`
 * @throws {SkillError} as `openStoredSession`, and as `save` of the session
 */
export async function withStoredSession<T>(
  repertoire: Repertoire,
  options: StoredSessionOptions,
  work: (session: Session, stored: StoredSession) => Promise<T>,
): Promise<T> {
  const stored = await openStoredSession(repertoire, options)
  let result: T
  try {
    result = await work(stored.session, stored)
  } catch (error) {
    await stored.close().catch((cause: unknown) => reportNotSaved(options, cause))
    throw error
  }
  await stored.close()
  return result
}

/** Reports that a session could not be saved, where nothing waits for the save any more. Never throws. For adapters. */
export function reportNotSaved({ onProblem }: Pick<SessionOptions, 'onProblem'>, cause: unknown): void {
  try {
    onProblem?.({ code: 'SESSION_NOT_SAVED', message: messageOf(cause), cause })
  } catch {
    // No listener is left.
  }
}
