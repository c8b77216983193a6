import { checkOptions, type OptionTable, required, text as textKind, withDefault } from '@repertoire/core/options'
import type { SessionStore } from '@repertoire/core'
import {
  checkSessionId,
  checkSessionOptions,
  checkSessionTenant,
  leaseLost,
  versionConflict,
} from '@repertoire/core/stores'
import { longQuery, query as send, tolerateLostConnections, type PostgresPool } from '../postgres/client.ts'
import { poolKind, schemaKind } from '../postgres/schema.ts'
import { prepareSessionTables, sessionStatements } from './postgres-statements.ts'
import { fromEngine, parsed } from './failures.ts'

/** Options of `openPostgresSessions`. */
export interface PostgresSessionsOptions {
  /** A `Pool` of the package `pg`, used beside the host's own queries. It stays the host's to end. */
  readonly pool: PostgresPool
  /** The schema of the tables, made when it is missing: lowercase letters, digits and `_`. Default `repertoire`. */
  readonly schema?: string | undefined
  /** Whose sessions these are. Default `default`. */
  readonly tenant?: string | undefined
}

const OPTIONS: OptionTable<PostgresSessionsOptions> = {
  pool: required(poolKind),
  schema: withDefault('repertoire', schemaKind),
  tenant: withDefault('default', textKind),
}

/** A store of sessions on PostgreSQL. */
export interface PostgresSessions extends SessionStore {
  /** Removes what all tenants have stored past its time to live. To be called now and then: nothing else removes it. */
  sweep(): Promise<void>
}

/**
 * Opens a store of sessions on PostgreSQL 12 or later. Where its tables are missing, they are made.
 * @throws {SkillError} STORAGE_UNAVAILABLE
 * @throws {TypeError} an option is unknown or has the wrong type, or the tenant is not a name
 */
export async function openPostgresSessions(options: PostgresSessionsOptions): Promise<PostgresSessions> {
  checkOptions('openPostgresSessions', OPTIONS, options, 'openPostgresSessions({ pool })')
  const { pool, tenant = 'default', schema = 'repertoire' } = options
  checkSessionTenant(tenant)
  const query = (text: string, ...values: unknown[]): Promise<readonly Readonly<Record<string, unknown>>[]> =>
    fromEngine('PostgreSQL', () => send(pool, text, ...values))
  tolerateLostConnections(pool)
  await fromEngine('PostgreSQL', () => prepareSessionTables(pool, schema))
  const sql = sessionStatements(schema)

  return {
    tenant,
    async acquire(session, leaseOptions) {
      checkSessionId(session)
      checkSessionOptions('acquire', leaseOptions)
      const [row] = await query(sql.acquire, tenant, session, leaseOptions.duration)
      return row === undefined ? undefined : { session, token: Number(row['token']) }
    },
    async renew({ session, token }, leaseOptions) {
      checkSessionOptions('renew', leaseOptions)
      return (await query(sql.renew, tenant, session, token, leaseOptions.duration)).length > 0
    },
    async release({ session, token }) {
      await query(sql.release, tenant, session, token)
    },
    async load(session) {
      checkSessionId(session)
      const [row] = await query(sql.load, tenant, session)
      if (row === undefined) return undefined
      const { version, saved } = row
      return { version: Number(version), saved: saved === null ? undefined : parsed(session, saved) }
    },
    async save({ session, token }, saved, saveOptions) {
      checkSessionOptions('save', saveOptions)
      const { ifVersion, timeToLive } = saveOptions
      const rows = await query(sql.save, tenant, session, token, ifVersion, JSON.stringify(saved), timeToLive)
      if (rows.length > 0) return
      const [head] = await query(sql.head, tenant, session, token)
      throw head === undefined ? leaseLost(session) : versionConflict(session, Number(head['version']), ifVersion)
    },
    async delete({ session, token }) {
      if ((await query(sql.delete, tenant, session, token)).length === 0) throw leaseLost(session)
    },
    async sweep() {
      await fromEngine('PostgreSQL', () => longQuery(pool, sql.sweep))
    },
  }
}
