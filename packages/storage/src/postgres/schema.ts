import { SkillError } from '@repertoire/core'
import { foreign, type OptionKind, withMethods } from '@repertoire/core/options'
import { query, type PostgresPool } from './client.ts'

/** The shape of the tables. */
const SHAPE = 'repertoire 1'

/** A pool of connections. */
export const poolKind: OptionKind = withMethods('a `Pool` of the package "pg"', 'query')

/** The name of a schema. It needs no escaping. */
export const schemaKind: OptionKind = foreign(
  'a name of lowercase letters, digits and "_", at most 40',
  (value) => typeof value === 'string' && /^[a-z_][a-z0-9_]{0,39}$/.test(value),
)

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
  return { blobs: table('blobs'), tenants: table('tenants'), heads: table('heads'), channel: `repertoire_${schema}` }
}

/** Tables that are made together. */
export interface TableGroup {
  readonly schema: string
  /** One of them. Its comment is their shape. */
  readonly table: string
  readonly shape: string
  /** The statements that create missing tables, divided by `;`. */
  readonly creation: string
  /** What is not done with tables of another shape, as the beginning of a sentence. */
  readonly refusal: string
}

/**
 * Makes tables where they are missing, and their schema. A role that may not make any can use what another has made.
 * @throws {SkillError} STORAGE_UNSUITABLE: tables of another version
 */
export async function prepareTables(pool: PostgresPool, group: TableGroup): Promise<void> {
  const { schema, table, shape, creation, refusal } = group
  const [found] = await query(pool, `SELECT obj_description(to_regclass($1), 'pg_class') AS shape`, table)
  const stored = (found?.shape ?? null) as string | null
  if (stored === shape) return
  if (stored !== null) {
    const message = `${refusal}: the tables of the schema "${schema}" are "${stored}", and this version keeps "${shape}". Update this program, or pass another schema.`
    throw new SkillError('STORAGE_UNSUITABLE', message)
  }
  // One text without values is one transaction. The lock is for machines that start at the same time; whoever has waited
  // for it knows of a new schema only once a relation is locked, which the second statement does.
  const begin = `SELECT pg_advisory_xact_lock(hashtext('repertoire ${schema}')); SELECT FROM pg_namespace LIMIT 1`
  const made = `CREATE SCHEMA IF NOT EXISTS "${schema}"; ${creation}; COMMENT ON TABLE ${table} IS '${shape}'`
  await query(pool, `${begin}; ${made}`)
}

/** Creates the tables of skills if they are missing. @throws {SkillError} STORAGE_UNSUITABLE: tables of another version */
export function prepareSchema(pool: PostgresPool, schema: string): Promise<void> {
  const { blobs, tenants, heads } = tablesIn(schema)
  const creation = `CREATE TABLE IF NOT EXISTS ${blobs} (
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
    CREATE INDEX IF NOT EXISTS heads_by_revision ON ${heads} (tenant, revision)`
  const refusal = 'The storage "postgres" is not used'
  return prepareTables(pool, { schema, table: heads, shape: SHAPE, creation, refusal })
}
