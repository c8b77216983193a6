import type { SessionStore } from '@repertoire/core'
import { checkDuration, checkSessionId, checkSessionTenant, leaseLost, versionConflict } from '@repertoire/core/adapter'
import { parsed } from './stored-json.ts'
import { fromEngine } from './unavailable.ts'

/** What is used of a client: a `Pool` or a `Client` of the package `pg` is such. */
export interface PostgresQueries {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>
}

/** Options of `openPostgresSessions`. */
export interface PostgresSessionsOptions {
  /** Its owner also closes it. */
  readonly pool: PostgresQueries
  /** Whose sessions these are. Default `default`. */
  readonly tenant?: string
}

/** A store of sessions on PostgreSQL. */
export interface PostgresSessions extends SessionStore {
  /** Removes what all tenants have stored past its time to live. To be called now and then: nothing else removes it. */
  sweep(): Promise<void>
}

// The heads lie apart from what was saved, so that an older value put into its place does not bring its version with it.
// The lock keeps two processes from creating the tables at once.
const CREATE = `
SELECT pg_advisory_xact_lock(5270816234);
CREATE SEQUENCE IF NOT EXISTS repertoire_session_tokens;
CREATE TABLE IF NOT EXISTS repertoire_session_heads (
  tenant text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  token bigint NOT NULL,
  leased_until timestamptz NOT NULL,
  version bigint NOT NULL DEFAULT 0,
  expires timestamptz NOT NULL DEFAULT '-infinity',
  PRIMARY KEY (tenant, id)
);
CREATE TABLE IF NOT EXISTS repertoire_session_states (
  tenant text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  saved text NOT NULL,
  PRIMARY KEY (tenant, id)
);`

const EXISTS = `SELECT to_regclass('repertoire_session_heads') IS NOT NULL
  AND to_regclass('repertoire_session_states') IS NOT NULL
  AND to_regclass('repertoire_session_tokens') IS NOT NULL AS exists`

const NOW = 'clock_timestamp()'
const AFTER = (parameter: string): string => `${NOW} + ${parameter}::double precision * interval '1 millisecond'`

const ACQUIRE = `
INSERT INTO repertoire_session_heads AS head (tenant, id, token, leased_until)
VALUES ($1, $2, nextval('repertoire_session_tokens'), ${AFTER('$3')})
ON CONFLICT (tenant, id) DO UPDATE SET
  token = nextval('repertoire_session_tokens'),
  leased_until = excluded.leased_until,
  version = CASE WHEN head.expires <= ${NOW} THEN 0 ELSE head.version END
WHERE head.leased_until <= ${NOW}
RETURNING token`

const RENEW = `UPDATE repertoire_session_heads SET leased_until = ${AFTER('$4')}
WHERE tenant = $1 AND id = $2 AND token = $3 RETURNING token`

const RELEASE = `UPDATE repertoire_session_heads SET leased_until = '-infinity'
WHERE tenant = $1 AND id = $2 AND token = $3`

const LOAD = `SELECT version, saved FROM repertoire_session_heads LEFT JOIN repertoire_session_states USING (tenant, id)
WHERE tenant = $1 AND id = $2 AND version > 0 AND expires > ${NOW}`

const SAVE = `
WITH head AS (
  UPDATE repertoire_session_heads SET version = version + 1, expires = ${AFTER('$6')}
  WHERE tenant = $1 AND id = $2 AND token = $3 AND version = $4
  RETURNING tenant, id
)
INSERT INTO repertoire_session_states (tenant, id, saved) SELECT tenant, id, $5 FROM head
ON CONFLICT (tenant, id) DO UPDATE SET saved = excluded.saved
RETURNING id`

const HEAD = 'SELECT version FROM repertoire_session_heads WHERE tenant = $1 AND id = $2 AND token = $3'

const DELETE = `
WITH head AS (
  DELETE FROM repertoire_session_heads WHERE tenant = $1 AND id = $2 AND token = $3 RETURNING tenant, id
), state AS (
  DELETE FROM repertoire_session_states USING head
  WHERE repertoire_session_states.tenant = head.tenant AND repertoire_session_states.id = head.id
)
SELECT id FROM head`

// A lease that ran out is kept for a while: nobody may have taken it, and it can be renewed.
const SWEEP = `
WITH head AS (
  DELETE FROM repertoire_session_heads
  WHERE expires <= ${NOW} AND leased_until <= ${NOW} - interval '1 hour' RETURNING tenant, id
)
DELETE FROM repertoire_session_states USING head
WHERE repertoire_session_states.tenant = head.tenant AND repertoire_session_states.id = head.id`

/**
 * Opens a store of sessions on PostgreSQL 12 or later. Where its tables do not exist, they are created, in the first schema
 * of the connection's search path.
 * @throws {SkillError} STORAGE_UNAVAILABLE
 * @throws {TypeError} the tenant is not a name
 */
export async function openPostgresSessions(options: PostgresSessionsOptions): Promise<PostgresSessions> {
  const { pool, tenant = 'default' } = options
  checkSessionTenant(tenant)
  const query = (text: string, ...values: unknown[]): Promise<readonly Readonly<Record<string, unknown>>[]> =>
    fromEngine('PostgreSQL', async () => (await pool.query(text, values)).rows)
  const [found] = await query(EXISTS)
  // Without values, which several commands at once cannot have: they are then one transaction.
  if (found?.['exists'] !== true) await fromEngine('PostgreSQL', () => pool.query(CREATE))

  return {
    tenant,
    async acquire(session, { duration }) {
      checkSessionId(session)
      checkDuration('duration', duration)
      const [row] = await query(ACQUIRE, tenant, session, duration)
      return row === undefined ? undefined : { session, token: Number(row['token']) }
    },
    async renew({ session, token }, { duration }) {
      checkDuration('duration', duration)
      return (await query(RENEW, tenant, session, token, duration)).length > 0
    },
    async release({ session, token }) {
      await query(RELEASE, tenant, session, token)
    },
    async load(session) {
      checkSessionId(session)
      const [row] = await query(LOAD, tenant, session)
      if (row === undefined) return undefined
      const { version, saved } = row
      return { version: Number(version), saved: saved === null ? undefined : parsed(session, saved) }
    },
    async save({ session, token }, saved, { ifVersion, timeToLive }) {
      checkDuration('timeToLive', timeToLive)
      const rows = await query(SAVE, tenant, session, token, ifVersion, JSON.stringify(saved), timeToLive)
      if (rows.length > 0) return
      const [head] = await query(HEAD, tenant, session, token)
      throw head === undefined ? leaseLost(session) : versionConflict(session, Number(head['version']), ifVersion)
    },
    async delete({ session, token }) {
      if ((await query(DELETE, tenant, session, token)).length === 0) throw leaseLost(session)
    },
    async sweep() {
      await query(SWEEP)
    },
  }
}
