import type { SessionLease, SessionStore } from '../ports/session-store.ts'
import { anyText, callable, withDefault, checkOptions } from '@repertoire/skill-md/internal'
import {
  checkSessionId,
  checkSessionOptions,
  checkSessionTenant,
  leaseLost,
  versionConflict,
} from './session-errors.ts'

/** Options of `memorySessions`. */
export interface MemorySessionsOptions {
  /** Whose sessions these are. Default `default`. */
  readonly tenant?: string
  /** The clock, in milliseconds. Default: the system's. */
  readonly now?: () => number
}

const SWEEP_INTERVAL_MS = 60 * 60_000

interface Entry {
  token: number
  leasedUntil: number
  version: number
  /** As JSON: what is loaded is a copy. */
  saved: string | undefined
  expires: number
}

/**
 * Returns a store of sessions that ends with the process: for tests, and for hosts with one process.
 * @throws {TypeError} an option is unknown or has the wrong type
 */
export function memorySessions(options: MemorySessionsOptions = {}): SessionStore {
  checkOptions<MemorySessionsOptions>(
    'memorySessions',
    { tenant: withDefault('default', anyText), now: callable },
    options,
  )
  const { tenant = 'default', now = Date.now } = options
  checkSessionTenant(tenant)
  const entries = new Map<string, Entry>()
  let lastToken = 0
  let swept = now()

  /** Drops what is not kept any longer, and whose lease ran out so long ago that nobody will renew it. */
  function sweep(time: number): void {
    if (time - swept < SWEEP_INTERVAL_MS) return
    swept = time
    for (const [id, { leasedUntil, expires }] of entries) {
      if (leasedUntil <= time - SWEEP_INTERVAL_MS && expires <= time) entries.delete(id)
    }
  }

  function held({ session, token }: SessionLease): Entry {
    const entry = entries.get(session)
    if (entry?.token !== token) throw leaseLost(session)
    return entry
  }

  return {
    tenant,
    async acquire(session, leaseOptions) {
      checkSessionId(session)
      checkSessionOptions('acquire', leaseOptions)
      const { duration } = leaseOptions
      const time = now()
      sweep(time)
      const { leasedUntil, ...entry } = entries.get(session) ?? NOTHING
      if (leasedUntil > time) return undefined
      const kept = entry.expires > time ? entry : NOTHING
      entries.set(session, { ...kept, token: ++lastToken, leasedUntil: time + duration })
      return { session, token: lastToken }
    },
    async renew({ session, token }, leaseOptions) {
      checkSessionOptions('renew', leaseOptions)
      const { duration } = leaseOptions
      const entry = entries.get(session)
      if (entry?.token !== token) return false
      entry.leasedUntil = now() + duration
      return true
    },
    async release({ session, token }) {
      const entry = entries.get(session)
      if (entry?.token === token) entry.leasedUntil = 0
    },
    async load(session) {
      checkSessionId(session)
      const { version, saved, expires } = entries.get(session) ?? NOTHING
      if (version === 0 || expires <= now()) return undefined
      return { version, saved: saved === undefined ? undefined : JSON.parse(saved) }
    },
    async save(lease, saved, saveOptions) {
      checkSessionOptions('save', saveOptions)
      const { ifVersion, timeToLive } = saveOptions
      const entry = held(lease)
      if (entry.version !== ifVersion) throw versionConflict(lease.session, entry.version, ifVersion)
      entry.saved = JSON.stringify(saved)
      entry.version++
      entry.expires = now() + timeToLive
    },
    async delete(lease) {
      held(lease)
      entries.delete(lease.session)
    },
  }
}

const NOTHING: Readonly<Entry> = { token: 0, leasedUntil: 0, version: 0, saved: undefined, expires: 0 }
