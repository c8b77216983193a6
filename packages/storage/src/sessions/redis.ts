import { checkOptions, type OptionTable, required, text, withDefault } from '@repertoire/core/options'
import type { SessionLease, SessionStore } from '@repertoire/core'
import {
  checkSessionId,
  checkSessionOptions,
  checkSessionTenant,
  leaseLost,
  versionConflict,
} from '@repertoire/core/stores'
import { tenantPart } from '../namespace.ts'
import { clientKind, prefixKind } from '../redis/keys.ts'
import { runScript, type RedisClient, type RedisReply } from '../redis/client.ts'
import { ACQUIRE, DELETE, LOAD, RELEASE, RENEW, SAVE } from './redis-scripts.ts'
import { fromEngine, parsed } from './failures.ts'

/** Options of `redisSessions`. */
export interface RedisSessionsOptions {
  /** A connected client of the package `redis`, used beside the host's own calls. It stays the host's to close. */
  readonly client: RedisClient
  /** Whose sessions these are. Default `default`. */
  readonly tenant?: string | undefined
  /** The beginning of all keys: letters, digits, `-`, `_` and `:`. Default `repertoire`. */
  readonly prefix?: string | undefined
}

const OPTIONS: OptionTable<RedisSessionsOptions> = {
  client: required(clientKind),
  tenant: withDefault('default', text),
  prefix: withDefault('repertoire', prefixKind),
}

/**
 * Returns a store of sessions in Redis 6.2 or later, or in Valkey. The keys of a tenant have one hash tag. What is acknowledged is as
 * durable as the server is set up to be.
 * @throws {TypeError} an option is unknown or has the wrong type, or the tenant is not a name
 */
export function redisSessions(options: RedisSessionsOptions): SessionStore {
  checkOptions('redisSessions', OPTIONS, options, 'redisSessions({ client })')
  const { client, tenant = 'default', prefix = 'repertoire' } = options
  checkSessionTenant(tenant)
  // In braces is what a cluster chooses the node by. No part of a tenant's name ends it, and the id comes last.
  const start = `${prefix}:{${tenantPart(tenant)}}:session`
  const keyOf = (kind: string, session: string): string => `${start}-${kind}:${session}`

  function run(script: string, session: string, ...given: readonly (string | number)[]): Promise<RedisReply> {
    checkSessionId(session)
    const keys = [...['head', 'state', 'lease'].map((kind) => keyOf(kind, session)), keyOf('tokens', '')]
    return fromEngine('Redis', () => runScript(client, script, keys, given.map(String)))
  }

  return {
    tenant,
    async acquire(session, leaseOptions) {
      checkSessionOptions('acquire', leaseOptions)
      const token = await run(ACQUIRE, session, Math.ceil(leaseOptions.duration))
      return String(token) === '' ? undefined : { session, token: numberOf(token) }
    },
    async renew({ session, token }, leaseOptions) {
      checkSessionOptions('renew', leaseOptions)
      return (await run(RENEW, session, token, Math.ceil(leaseOptions.duration))) === 1
    },
    async release({ session, token }) {
      await run(RELEASE, session, token)
    },
    async load(session) {
      const [version, saved] = listOf(await run(LOAD, session))
      if (version === undefined) return undefined
      return { version: numberOf(version), saved: String(saved) === '' ? undefined : parsed(session, saved) }
    },
    async save({ session, token }: SessionLease, saved, saveOptions) {
      checkSessionOptions('save', saveOptions)
      const { ifVersion, timeToLive } = saveOptions
      const answer = await run(SAVE, session, token, ifVersion, JSON.stringify(saved), Math.ceil(timeToLive))
      const [outcome, version] = listOf(answer).map(String)
      if (outcome === 'lost') throw leaseLost(session)
      if (outcome !== 'saved') throw versionConflict(session, numberOf(version), ifVersion)
    },
    async delete({ session, token }) {
      if ((await run(DELETE, session, token)) !== 1) throw leaseLost(session)
    },
  }
}

/** Texts of a reply are bytes. */
function listOf(answer: RedisReply): readonly RedisReply[] {
  return Array.isArray(answer) ? answer : []
}

function numberOf(value: unknown): number {
  return Number(String(value))
}
