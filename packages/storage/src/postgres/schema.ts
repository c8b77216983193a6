import { isSkillError, SkillError } from '@repertoire/core'
import { ConnectionLost } from '../engine.ts'
import { query, type PostgresPool } from './client.ts'

/** The shape of the tables. */
const SHAPE = 1

/** The schema, a table or a type is there already. */
const DUPLICATES: ReadonlySet<string> = new Set(['23505', '42P06', '42P07', '42710'])

/** Names of the tables, with their schema. */
export interface PostgresTables {
  readonly blobs: string
  readonly tenants: string
  readonly heads: string
  /** Of the notifications. */
  readonly channel: string
}

/** @param schema letters, digits and `_`, so that it needs no escaping */
export function tablesIn(schema: string): PostgresTables {
  const table = (name: string): string => `"${schema}"."${name}"`
  return {
    blobs: table('blobs'),
    tenants: table('tenants'),
    heads: table('heads'),
    channel: `repertoire_${schema}`,
  }
}

/**
 * Makes the tables where they are missing. A role that may not make any can use what another has made.
 * @throws {SkillError} STORAGE_UNSUITABLE: tables of a later version
 */
export async function prepareSchema(pool: PostgresPool, schema: string): Promise<void> {
  const { heads } = tablesIn(schema)
  const [found] = await query(pool, `SELECT obj_description(to_regclass($1), 'pg_class') AS shape`, heads)
  const shape = found?.shape as string | null
  if (shape === `repertoire ${SHAPE}`) return
  if (shape !== null) {
    const message = `The storage "postgres" is not used: the tables of the schema "${schema}" are "${shape}", and this version keeps "repertoire ${SHAPE}". Update this program, or pass another schema.`
    throw new SkillError('STORAGE_UNSUITABLE', message)
  }
  try {
    await query(pool, creationOf(schema))
  } catch (error) {
    // Another machine has made them meanwhile. What a session knew of the catalog before the lock may be older.
    if (isSkillError(error) && DUPLICATES.has(codeOf(error.cause))) throw new ConnectionLost('PostgreSQL', error.cause)
    throw error
  }
}

/** One text without values is one transaction. The lock is for machines that start at the same time. */
function creationOf(schema: string): string {
  const { blobs, tenants, heads } = tablesIn(schema)
  return `SELECT pg_advisory_xact_lock(hashtext('repertoire ${schema}'));
    CREATE SCHEMA IF NOT EXISTS "${schema}";
    CREATE TABLE IF NOT EXISTS ${blobs} (
      hash text COLLATE "C" PRIMARY KEY,
      bytes bytea NOT NULL,
      touched timestamptz NOT NULL DEFAULT now()
    );
    CREATE TABLE IF NOT EXISTS ${tenants} (
      tenant text COLLATE "C" PRIMARY KEY,
      revision bigint NOT NULL,
      floor bigint NOT NULL
    );
    CREATE TABLE IF NOT EXISTS ${heads} (
      tenant text COLLATE "C" NOT NULL,
      skill text COLLATE "C" NOT NULL,
      version text NOT NULL,
      text text,
      blobs text[] NOT NULL,
      revision bigint NOT NULL,
      changed timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (tenant, skill)
    );
    CREATE INDEX IF NOT EXISTS heads_by_revision ON ${heads} (tenant, revision);
    COMMENT ON TABLE ${heads} IS 'repertoire ${SHAPE}'`
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
}
