import type { SessionStore } from '@repertoire/core'
import { checkDuration, checkSessionId, checkSessionTenant, leaseLost, versionConflict } from '@repertoire/core/stores'
import { longQuery, query as send, tolerateLostConnections, type PostgresPool } from '../postgres/client.ts'
import { isSchema, SCHEMA_RULE } from '../postgres/schema.ts'
import { prepareSessionTables, sessionStatements } from './postgres-statements.ts'
import { parsed } from './stored-json.ts'
import { fromEngine } from './unavailable.ts'

/** Options of `openPostgresSessions`. */
export interface PostgresSessionsOptions {
  /** A `Pool` of the package `pg`, used beside the host's own queries. It stays the host's to end. */
  readonly pool: PostgresPool
  /** The schema of the tables, made when it is missing: lowercase letters, digits and `_`. Default `repertoire`. */
  readonly schema?: string
  /** Whose sessions these are. Default `default`. */
  readonly tenant?: string
}

/** A store of sessions on PostgreSQL. */
export interface PostgresSessions extends SessionStore {
  /** Removes what all tenants have stored past its time to live. To be called now and then: nothing else removes it. */
  sweep(): Promise<void>
}

/**
 * Opens a store of sessions on PostgreSQL 12 or later. Where its tables are missing, they are made.
 * @throws {SkillError} STORAGE_UNAVAILABLE
 * @throws {TypeError} the tenant or the schema is not a name
 */
export async function openPostgresSessions(options: PostgresSessionsOptions): Promise<PostgresSessions> {
  const { pool, tenant = 'default', schema = 'repertoire' } = options
  checkSessionTenant(tenant)
  if (!isSchema(schema)) throw new TypeError(`openPostgresSessions: ${SCHEMA_RULE}`)
  const query = (text: string, ...values: unknown[]): Promise<readonly Readonly<Record<string, unknown>>[]> =>
    fromEngine('PostgreSQL', () => send(pool, text, ...values))
  tolerateLostConnections(pool)
  await fromEngine('PostgreSQL', () => prepareSessionTables(pool, schema))
  const sql = sessionStatements(schema)

  return {
    tenant,
    async acquire(session, { duration }) {
      checkSessionId(session)
      checkDuration('duration', duration)
      const [row] = await query(sql.acquire, tenant, session, duration)
      return row === undefined ? undefined : { session, token: Number(row['token']) }
    },
    async renew({ session, token }, { duration }) {
      checkDuration('duration', duration)
      return (await query(sql.renew, tenant, session, token, duration)).length > 0
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
    async save({ session, token }, saved, { ifVersion, timeToLive }) {
      checkDuration('timeToLive', timeToLive)
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
