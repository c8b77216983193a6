import { SkillError, isSkillError, quote } from '@repertoire/skill-md/internal'
import type { SessionLease, SessionRecord, SessionStore } from '../../ports/session-store.ts'
import type { AdapterSession } from '../../session/adapter-session.ts'
import type { SavedSession } from '../../session/state/seal.ts'
import type { SessionState } from '../../session/state/state.ts'
import { messageOf } from '../../text/message.ts'
import { inTime } from '../../time-limit.ts'
import type { KeptLease } from './lease.ts'

/** What a session is saved with. Times are in milliseconds. */
interface SavesContext {
  readonly store: SessionStore
  readonly lease: SessionLease
  readonly kept: Pick<KeptLease, 'confirm' | 'lose'>
  readonly session: Pick<AdapterSession, 'state' | 'save'>
  readonly timeToLive: number
  readonly timeout: number
  readonly onSaved: (version: number) => void
}

/** The saves of an open session, one after the other. */
export interface Saves {
  /** The version that is stored; 0: none is. */
  readonly version: () => number
  /**
   * Saves what has changed. Where nothing has, it proves that no other process has the lease.
   * @throws {SkillError} LEASE_LOST, STORE_CONFLICT, STORAGE_UNAVAILABLE, TIMED_OUT
   */
  readonly save: () => Promise<void>
}

interface Attempt {
  readonly saved: SavedSession
  readonly state: SessionState
}

/** A session that was only looked at is stored again once a tenth of its time to live is over. */
const REFRESHED_SHARE = 0.1

export function createSaves(context: SavesContext, opened: number): Saves {
  const { store, lease, kept, session, timeToLive, timeout, onSaved } = context
  let version = opened
  let stored = session.state
  let expires = session.state.stored?.expires ?? Infinity
  /** A save that may or may not have happened. */
  let unanswered: Attempt | undefined
  let last: Promise<unknown> = Promise.resolve()

  const awaited = <T>(promise: Promise<T>): Promise<T> => inTime(promise, timeout, 'The session store')

  async function write(): Promise<void> {
    if (unanswered !== undefined) await settle(unanswered)
    const { state } = session
    const isOld = expires - Date.now() < (1 - REFRESHED_SHARE) * timeToLive
    if (state === stored && !isOld) return kept.confirm()
    const mark = { tenant: store.tenant, version: version + 1, expires: Date.now() + timeToLive }
    const saved = session.save(mark)
    const attempt = { saved, state }
    unanswered = attempt
    try {
      await awaited(store.save(lease, saved, { ifVersion: version, timeToLive }))
    } catch (error) {
      const code = isSkillError(error) ? error.code : undefined
      if (code === 'LEASE_LOST' || code === 'STORE_CONFLICT') unanswered = undefined
      if (code === 'LEASE_LOST') kept.lose()
      throw error
    }
    succeed(attempt)
  }

  /** Looks whether a save has happened that was not answered. */
  async function settle(attempt: Attempt): Promise<void> {
    const record = await awaited(store.load(lease.session))
    const there = record?.saved as Partial<SavedSession> | null | undefined
    if (there?.seal === attempt.saved.seal) succeed(attempt)
    unanswered = undefined
  }

  function succeed({ saved, state }: Attempt): void {
    const mark = saved.state.stored!
    version = mark.version
    expires = mark.expires
    stored = state
    unanswered = undefined
    onSaved(version)
  }

  return {
    version: () => version,
    save() {
      const next = last.then(write)
      last = next.catch(() => undefined)
      return next.catch((error: unknown) => {
        throw isSkillError(error) ? error : notSaved(error)
      })
    },
  }
}

/** A store may throw anything. */
function notSaved(cause: unknown): SkillError {
  return new SkillError('STORAGE_UNAVAILABLE', `The session could not be saved: ${messageOf(cause)}`, { cause })
}

interface ExpectedPlace {
  readonly store: Pick<SessionStore, 'tenant'>
  readonly id: string
  /** The newest version that anybody here knows of. */
  readonly atLeast: number
}

/**
 * Checks what a store returned, before it is opened. Returns undefined if nothing is stored.
 * @throws {SkillError} STATE_OUTDATED
 */
export function checkRecord(
  { id, atLeast }: ExpectedPlace,
  record: SessionRecord | undefined,
): SessionRecord | undefined {
  const version = record?.version ?? 0
  if (version < atLeast) {
    throw outdated(id, `its version ${version} is stored, and there was a version ${atLeast}`)
  }
  if (record !== undefined && (record.saved === undefined || record.saved === null)) {
    throw outdated(id, `version ${version} was saved, and is gone`)
  }
  return record
}

/**
 * Checks that a state, whose seal fits, was sealed for the place in which it was found.
 * @throws {SkillError} STATE_INVALID: for another tenant, or for none. STATE_OUTDATED: as an older version, or for a
 * time that is over
 */
export function checkPlace({ store, id }: ExpectedPlace, { stored }: SessionState, { version }: SessionRecord): void {
  if (stored?.tenant !== store.tenant) {
    const from = stored === undefined ? 'no store' : `the tenant ${quote(stored.tenant)}`
    throw new SkillError(
      'STATE_INVALID',
      `The stored session ${quote(id)} was saved for ${from}, not for ${quote(store.tenant)}: consent of one tenant does not apply to another. Remove it, and open a new session.`,
    )
  }
  if (stored.version !== version) {
    throw outdated(id, `its version ${version} was saved, and version ${stored.version} is in its place`)
  }
  if (stored.expires <= Date.now()) {
    throw outdated(id, `its time to live was over at ${new Date(stored.expires).toISOString()}`)
  }
}

function outdated(id: string, why: string): SkillError {
  return new SkillError(
    'STATE_OUTDATED',
    `The session ${quote(id)} is not continued: ${why}. Another program put it there. Remove it, and open a new session.`,
  )
}
