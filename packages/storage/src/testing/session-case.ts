import assert from 'node:assert/strict'
import { isSkillError, type SessionLease, type SessionStore, type SkillErrorCode } from '@repertoire/core'

/** One sentence of the contract of `SessionStore`. */
export interface SessionStoreCase {
  /** Begins with the ids of the requirements. */
  readonly title: string
  /** @throws {Error} the store does not keep it */
  run(place: SessionStorePlace): Promise<void>
}

/** Where the sessions of one case are kept. */
export interface SessionStorePlace {
  /** Opens the store of that place. Each call returns an independent store, as in several processes. */
  readonly open: (tenant: string) => SessionStore | Promise<SessionStore>
  /** Removes everything. */
  readonly remove?: () => Promise<void>
}

/** Longer than any case takes. */
export const MINUTE_MS = 60_000

/** Takes a free lease. */
export async function leased(store: SessionStore, session: string, duration = MINUTE_MS): Promise<SessionLease> {
  const lease = await store.acquire(session, { duration })
  assert.ok(lease, `The lease of ${session} is free, but it cannot be taken.`)
  return lease
}

/** Takes a lease as soon as the one before has run out. */
export async function leasedAfter(store: SessionStore, session: string): Promise<SessionLease> {
  for (;;) {
    const lease = await store.acquire(session, { duration: MINUTE_MS })
    if (lease !== undefined) return lease
  }
}

/** Saves with a lease, for long enough. */
export function put(store: SessionStore, lease: SessionLease, saved: unknown, ifVersion: number): Promise<void> {
  return store.save(lease, saved, { ifVersion, timeToLive: MINUTE_MS })
}

/** Expects a call to be refused with a code. */
export async function refuses(call: Promise<unknown>, code: SkillErrorCode): Promise<void> {
  const failure = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  assert.ok(isSkillError(failure), `A SkillError was expected, and not ${String(failure)}`)
  assert.equal(failure.code, code, failure.message)
}
