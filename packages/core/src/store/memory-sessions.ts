import type { SessionLease, SessionStore, SessionLeaseOptions, SessionSaveOptions } from '../ports/session-store.ts'
import {
  anyText,
  callable,
  withDefault,
  checkOptions,
  SkillError,
  number,
  required,
  quote,
  shownValue,
} from '@repertoire/skill-md/internal'

/** Options of `memorySessions`. */
export interface MemorySessionsOptions {
  /** Whose sessions these are. Default `default`. */
  readonly tenant?: string | undefined
  /** The clock, in milliseconds. Default: the system's. */
  readonly now?: (() => number) | undefined
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

  /** Drops what is not kept any longer, and whose lease ran out so long ago that it will not be renewed. */
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
      return { version, saved: JSON.parse(saved!) }
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

const MAX_ID_CHARS = 512

/** A hundred years: what every store can add to its clock. */
const MAX_DURATION_MS = 100 * 365 * 24 * 60 * 60_000
/** In UTF-8. */
const MAX_TENANT_BYTES = 128

/**
 * Checks a session's id: what every store can keep, and tell from every other id.
 * @throws {TypeError} it is empty, too long, or has lone surrogates or NUL
 */
export function checkSessionId(id: unknown): asserts id is string {
  if (isName(id) && id.length <= MAX_ID_CHARS) return
  throw notAName('id of a session', id, `1 to ${MAX_ID_CHARS} characters`)
}

/**
 * Checks the name of a tenant: what every store can keep, and tell from every other name.
 * @throws {TypeError} it is empty, too long, or has lone surrogates or NUL
 */
export function checkSessionTenant(tenant: unknown): asserts tenant is string {
  if (isName(tenant) && new TextEncoder().encode(tenant).length <= MAX_TENANT_BYTES) return
  throw notAName('tenant of a session store', tenant, `1 to ${MAX_TENANT_BYTES} bytes`)
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.isWellFormed() && !value.includes('\0')
}

function notAName(what: string, value: unknown, most: string): TypeError {
  return new TypeError(`The ${what} is ${shownValue(value)}. Give a text of ${most}, without NUL and lone surrogates.`)
}

const time = required(number('milliseconds', { above: 0, to: MAX_DURATION_MS }))

/**
 * Checks the options of `acquire` and `renew`, or of `save`. For implementations of `SessionStore`.
 * @throws {TypeError} an option is unknown, missing, or has the wrong type
 */
export function checkSessionOptions(method: 'acquire' | 'renew' | 'save', options: unknown): void {
  if (method === 'save') {
    const ifVersion = required(number('saves', { from: 0, isWhole: true }))
    checkOptions<SessionSaveOptions>(method, { ifVersion, timeToLive: time }, options)
  } else checkOptions<SessionLeaseOptions>(method, { duration: time }, options)
}

/** The lease of a session is not the newest one: nothing was written. For implementations of `SessionStore`. */
export function leaseLost(session: string): SkillError {
  return new SkillError(
    'LEASE_LOST',
    `Nothing was saved of the session ${quote(session)}: its lease has run out, and another process holds it or removed the session. Open the session again.`,
  )
}

/** Another version of a session is stored: nothing was written. For implementations of `SessionStore`. */
export function versionConflict(session: string, stored: number, ifVersion: number): SkillError {
  return new SkillError(
    'STORE_CONFLICT',
    `Nothing was saved of the session ${quote(session)}: its version ${stored} is stored, and the change is based on ${ifVersion}. Open the session again.`,
  )
}
