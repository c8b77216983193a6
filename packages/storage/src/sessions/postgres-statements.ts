import type { PostgresPool } from '../postgres/client.ts'
import { prepareTables } from '../postgres/schema.ts'

/** The shape of the tables. */
const SHAPE = 'repertoire sessions 1'

// The heads lie apart from what was saved, so that an older value put into its place does not bring its version with it.
function tablesIn(schema: string): { readonly heads: string; readonly states: string; readonly tokens: string } {
  const name = (table: string): string => `"${schema}"."session_${table}"`
  return { heads: name('heads'), states: name('states'), tokens: name('tokens') }
}

/**
 * Creates the tables of sessions if they are missing.
 * @param schema letters, digits and `_`, so that it needs no escaping
 * @throws {SkillError} STORAGE_UNSUITABLE: tables of another version
 */
export function prepareSessionTables(pool: PostgresPool, schema: string): Promise<void> {
  const { heads, states, tokens } = tablesIn(schema)
  const creation = `CREATE SEQUENCE IF NOT EXISTS ${tokens};
    CREATE TABLE IF NOT EXISTS ${states} (
      tenant text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      saved text NOT NULL,
      PRIMARY KEY (tenant, id)
    );
    CREATE TABLE IF NOT EXISTS ${heads} (
      tenant text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      token bigint NOT NULL,
      leased_until timestamptz NOT NULL,
      version bigint NOT NULL DEFAULT 0,
      expires timestamptz NOT NULL DEFAULT '-infinity',
      PRIMARY KEY (tenant, id)
    )`
  const refusal = 'Sessions are not kept in PostgreSQL'
  return prepareTables(pool, { schema, table: heads, shape: SHAPE, creation, refusal })
}

const NOW = 'clock_timestamp()'
const after = (parameter: string): string => `${NOW} + ${parameter}::double precision * interval '1 millisecond'`

/** The operations of sessions, each one statement: the tenant and the id are always the first two values. */
export function sessionStatements(schema: string) {
  const { heads, states, tokens } = tablesIn(schema)
  const isHeld = 'tenant = $1 AND id = $2 AND token = $3'
  const removeStates = `DELETE FROM ${states} AS state USING head WHERE state.tenant = head.tenant AND state.id = head.id`
  return {
    acquire: `INSERT INTO ${heads} AS head (tenant, id, token, leased_until)
      VALUES ($1, $2, nextval('${tokens}'), ${after('$3')})
      ON CONFLICT (tenant, id) DO UPDATE SET
        token = nextval('${tokens}'),
        leased_until = excluded.leased_until,
        version = CASE WHEN head.expires <= ${NOW} THEN 0 ELSE head.version END
      WHERE head.leased_until <= ${NOW}
      RETURNING token`,
    renew: `UPDATE ${heads} SET leased_until = ${after('$4')} WHERE ${isHeld} RETURNING token`,
    release: `UPDATE ${heads} SET leased_until = '-infinity' WHERE ${isHeld}`,
    load: `SELECT version, saved FROM ${heads} LEFT JOIN ${states} USING (tenant, id)
      WHERE tenant = $1 AND id = $2 AND version > 0 AND expires > ${NOW}`,
    save: `WITH head AS (
        UPDATE ${heads} SET version = version + 1, expires = ${after('$6')}
        WHERE ${isHeld} AND version = $4 RETURNING tenant, id
      )
      INSERT INTO ${states} (tenant, id, saved) SELECT tenant, id, $5 FROM head
      ON CONFLICT (tenant, id) DO UPDATE SET saved = excluded.saved
      RETURNING id`,
    head: `SELECT version FROM ${heads} WHERE ${isHeld}`,
    delete: `WITH head AS (DELETE FROM ${heads} WHERE ${isHeld} RETURNING tenant, id), state AS (${removeStates})
      SELECT id FROM head`,
    // An expired lease is kept for a while, because its owner can renew it if it was not taken.
    sweep: `WITH head AS (
        DELETE FROM ${heads} WHERE expires <= ${NOW} AND leased_until <= ${NOW} - interval '1 hour' RETURNING tenant, id
      ) ${removeStates}`,
  } as const
}
