import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { SkillError, type SessionStore } from '@repertoire/core'
import { checkOptions, type OptionTable, required, text as textKind, withDefault } from '@repertoire/core/options'
import {
  checkSessionId,
  checkSessionOptions,
  checkSessionTenant,
  leaseLost,
  versionConflict,
} from '@repertoire/core/stores'
import { retryDelay } from '../deadline.ts'
import type { StorageEngine } from '../engine.ts'
import { tenantPart } from '../namespace.ts'
import { DEFAULT_SWEEP_MS, engineKind } from '../stores.ts'
import { fromEngine, notASession, parsed } from './failures.ts'

/** Options of `openSessions`. */
export interface SessionsOptions {
  /** `redisEngine` or `postgresEngine`. Skills may be kept in it too. */
  readonly engine: StorageEngine
  /** Whose sessions these are. Default `default`. */
  readonly tenant?: string | undefined
}

const OPTIONS: OptionTable<SessionsOptions> = { engine: required(engineKind), tenant: withDefault('default', textKind) }

/** A store of sessions in an engine. */
export interface Sessions extends SessionStore {
  /** Removes what all tenants have stored past its time to live, and unused files of skills. Call it now and then. */
  sweep(): Promise<void>
}

/** A session as it is kept. */
interface KeptSession {
  /** Of the lease that was given last. */
  readonly token: number
  readonly leasedUntil: number
  readonly version: number
  readonly expires: number
  readonly saved?: unknown
}

const NEW: KeptSession = { token: 0, leasedUntil: 0, version: 0, expires: 0 }

/** A record stays longer: the owner of an expired lease can renew it if nobody took it, and no token comes again. */
const GRACE_MS = 60 * 60_000

/** How often a write is tried that others come before. */
const MAX_TRIES = 30

/**
 * Opens a store of sessions in an engine. Each session is a record. What is acknowledged is as durable as the engine is
 * set up to be.
 * @throws {SkillError} STORAGE_UNAVAILABLE, STORAGE_UNSUITABLE
 * @throws {TypeError} an option is unknown or has the wrong type, or the tenant is not a name
 */
export async function openSessions(options: SessionsOptions): Promise<Sessions> {
  checkOptions('openSessions', OPTIONS, options, 'openSessions({ engine })')
  const { engine, tenant = 'default' } = options
  checkSessionTenant(tenant)
  const start = `sessions/${tenantPart(tenant)}`
  await fromEngine(engine.name, () => engine.open())

  const read = async (session: string) => {
    checkSessionId(session)
    const key = `${start}/${createHash('sha256').update(session).digest('hex')}`
    const { now, token, text } = await fromEngine(engine.name, () => engine.read(key))
    return { key, now, expected: token, kept: text === undefined ? NEW : keptSession(session, text) }
  }

  /** Changes a session, again if others come before. @param judge returns undefined if nothing is to be written */
  async function change<T>(
    session: string,
    judge: (kept: KeptSession, now: number) => { readonly next?: KeptSession; readonly result: T },
  ): Promise<T> {
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      const { key, now, expected, kept } = await read(session)
      const { next, result } = judge(kept, now)
      if (next === undefined) return result
      const text = JSON.stringify(next)
      const expiresIn = Math.max(next.expires, next.leasedUntil, now) - now + GRACE_MS
      const token = await fromEngine(engine.name, () => engine.replace({ key, expected, text, expiresIn }))
      if (token !== undefined) return result
      await delay(retryDelay(tries))
    }
    const message = `Others have written the session ${JSON.stringify(session)} ${MAX_TRIES} times before. Try again.`
    throw new SkillError('STORAGE_UNAVAILABLE', message)
  }

  return {
    tenant,
    async acquire(session, leaseOptions) {
      checkSessionOptions('acquire', leaseOptions)
      return change(session, (kept, now) => {
        if (kept.leasedUntil > now) return { result: undefined }
        const token = Math.max(kept.token + 1, Math.floor(now))
        const saved = kept.expires > now ? kept : NEW
        return { next: { ...saved, token, leasedUntil: now + leaseOptions.duration }, result: { session, token } }
      })
    },
    async renew({ session, token }, leaseOptions) {
      checkSessionOptions('renew', leaseOptions)
      return change(session, (kept, now) =>
        kept.token === token
          ? { next: { ...kept, leasedUntil: now + leaseOptions.duration }, result: true }
          : { result: false },
      )
    },
    async release({ session, token }) {
      await change(session, (kept) => ({
        ...(kept.token === token && { next: { ...kept, leasedUntil: 0 } }),
        result: undefined,
      }))
    },
    async load(session) {
      const { now, kept } = await read(session)
      return kept.version > 0 && kept.expires > now ? { version: kept.version, saved: kept.saved } : undefined
    },
    async save({ session, token }, saved, saveOptions) {
      checkSessionOptions('save', saveOptions)
      const { ifVersion, timeToLive } = saveOptions
      await change(session, (kept, now) => {
        if (kept.token !== token) throw leaseLost(session)
        if (kept.version !== ifVersion) throw versionConflict(session, kept.version, ifVersion)
        return { next: { ...kept, version: ifVersion + 1, expires: now + timeToLive, saved }, result: undefined }
      })
    },
    async delete({ session, token }) {
      await change(session, (kept) => {
        if (kept.token !== token) throw leaseLost(session)
        // No lease has the token after it: the lease ends with the session.
        return { next: { ...NEW, token: token + 1 }, result: undefined }
      })
    },
    async sweep() {
      await fromEngine(engine.name, () => engine.sweep(DEFAULT_SWEEP_MS))
    },
  }
}

/** @throws {SkillError} STATE_INVALID: another program wrote it */
function keptSession(session: string, text: string): KeptSession {
  const value = Object(parsed(session, text)) as Partial<Record<keyof KeptSession, unknown>>
  const { token, leasedUntil, version, expires } = value
  if ([token, leasedUntil, version, expires].every((each) => typeof each === 'number')) return value as KeptSession
  throw notASession(session)
}
