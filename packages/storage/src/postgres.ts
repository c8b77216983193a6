import { randomUUID } from 'node:crypto'
import { SkillError } from '@repertoire/core'
import { type OptionTable, checkOptions, required, withDefault, withMethods } from '@repertoire/core/options'
import { batchesOf } from './files.ts'
import { textLike } from './namespace.ts'
import { ConnectionLostError, type StorageEngine, type StoredFile } from './engine.ts'

/** What is used of a `Pool` of the package `pg`. */
export interface PostgresPool {
  query(query: {
    readonly text: string
    readonly values?: unknown[]
    /** In milliseconds. The pool gives up a connection that takes longer. */
    readonly query_timeout?: number
  }): Promise<{ readonly rows: unknown[] }>
  on(event: 'error', listener: (error: Error) => void): unknown
}

/** Options of `postgresEngine`. */
export interface PostgresEngineOptions {
  /** A `Pool` of the package `pg`, used beside your own queries. You end it. */
  readonly pool: PostgresPool
  /** The schema of the tables, made when it is missing: lowercase letters, digits and `_`. Default `repertoire`. */
  readonly schema?: string | undefined
}

const OPTIONS: OptionTable<PostgresEngineOptions> = {
  pool: required(withMethods('a `Pool` of the package "pg"', 'query')),
  schema: withDefault(
    'repertoire',
    textLike('a name of lowercase letters, digits and "_", at most 40', /^[a-z_][a-z0-9_]{0,39}$/),
  ),
}

/** The shape of the tables. */
const SHAPE = 'repertoire 1'

/** Files that go with the record, in one statement. Larger ones go before it. */
const MAX_INLINE_BYTES = 1024 * 1024

/** The time limit of one statement but a sweep. A call as a whole has its own limit. */
const STATEMENT_TIMEOUT_MS = 120_000

const tolerant = new WeakSet<PostgresPool>()

/**
 * Keeps records and files in PostgreSQL 12 or later, in two tables of a schema of their own. What is compared and
 * written is one statement.
 * @throws {TypeError} an option is unknown or has the wrong type
 */
export function postgresEngine(options: PostgresEngineOptions): StorageEngine {
  checkOptions('postgresEngine', OPTIONS, options, 'postgresEngine({ pool })')
  const { pool, schema = 'repertoire' } = options
  const sql = statementsFor(schema)
  const query = (text: string, ...values: unknown[]): Promise<any[]> => send(pool, text, values, STATEMENT_TIMEOUT_MS)
  const write = async (files: readonly StoredFile[], statement: string, values: unknown[]): Promise<boolean> => {
    // In the order of the hashes, so that two writers of the same files do not wait for each other.
    const sorted = files.toSorted((a, b) => (a.hash < b.hash ? -1 : 1))
    const hashes = sorted.map(({ hash }) => hash)
    const bytes = sorted.map((file) => Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.length))
    return (await query(statement, hashes, bytes, ...values)).length > 0
  }
  return {
    name: 'postgres',
    async open() {
      if (!tolerant.has(pool)) {
        // Without a listener, a lost idle connection would end the process.
        tolerant.add(pool)
        pool.on('error', () => {})
      }
      const [found] = await query(`SELECT obj_description(to_regclass($1), 'pg_class') AS shape`, sql.records)
      if (found.shape === null) await query(sql.create)
      if (found.shape === null || found.shape === SHAPE) return
      const message = `The storage "postgres" is not used: the tables of the schema "${schema}" are "${found.shape}", and this version keeps "${SHAPE}". Update this program, or pass another schema.`
      throw new SkillError('STORAGE_UNSUITABLE', message)
    },
    async read(key, known = '') {
      const [{ now, token, text }] = await query(sql.read, key, known)
      return { now: Number(now), token: token ?? undefined, text: text ?? undefined }
    },
    async replace({ key, expected, text, files = [], expiresIn }) {
      const token = randomUUID()
      const isSmall = files.reduce((sum, { bytes }) => sum + bytes.length, 0) <= MAX_INLINE_BYTES
      const batches = isSmall ? [] : batchesOf(files, ({ bytes }) => bytes.length)
      for (const batch of batches) await write(batch, sql.put, [])
      const values = [key, token, text, expiresIn ?? null]
      const isWritten = await (expected === undefined
        ? write(isSmall ? files : [], sql.insert, values)
        : write(isSmall ? files : [], sql.update, [...values, expected]))
      return isWritten ? token : undefined
    },
    async readFiles(hashes) {
      const rows = await query(sql.readFiles, hashes)
      return new Map(rows.map(({ hash, bytes }) => [hash, bytes]))
    },
    async sweep(olderThanMs) {
      await send(pool, sql.expire, [])
      return { files: (await send(pool, sql.sweep, [olderThanMs])).length }
    },
  }
}

/** The statements for the tables of a schema, whose name needs no escaping. Each is one atomic step. */
function statementsFor(schema: string) {
  const records = `"${schema}".records`
  const files = `"${schema}".files`
  const put = `INSERT INTO ${files} (hash, bytes) SELECT * FROM unnest($1::text[], $2::bytea[])
    ON CONFLICT (hash) DO UPDATE SET touched = now(), bytes = excluded.bytes RETURNING 1`
  const expires = `now() + $6 * interval '1 millisecond'`
  return {
    records,
    // One text without values is one transaction. The lock is for machines that start at the same time; whoever has
    // waited for it knows of a new schema only once a relation is locked, which the second statement does.
    create: `SELECT pg_advisory_xact_lock(hashtext('repertoire ${schema}')); SELECT FROM pg_namespace LIMIT 1;
      CREATE SCHEMA IF NOT EXISTS "${schema}";
      CREATE TABLE IF NOT EXISTS ${files} (
        hash text COLLATE "C" PRIMARY KEY, bytes bytea NOT NULL, touched timestamptz NOT NULL DEFAULT now());
      CREATE TABLE IF NOT EXISTS ${records} (
        key text COLLATE "C" PRIMARY KEY, token text NOT NULL, text text NOT NULL, expires timestamptz);
      ALTER TABLE ${records} ALTER COLUMN text SET STORAGE EXTERNAL;
      COMMENT ON TABLE ${records} IS '${SHAPE}'`,
    read: `SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now, token, CASE WHEN token <> $2 THEN text END AS text
      FROM (SELECT) AS one LEFT JOIN ${records} ON key = $1`,
    put,
    insert: `WITH put AS (${put}) INSERT INTO ${records} (key, token, text, expires)
      VALUES ($3, $4, $5, ${expires}) ON CONFLICT (key) DO NOTHING RETURNING 1`,
    update: `WITH put AS (${put}) UPDATE ${records} SET token = $4, text = $5, expires = ${expires}
      WHERE key = $3 AND token = $7 RETURNING 1`,
    readFiles: `SELECT hash, bytes FROM ${files} WHERE hash = ANY($1::text[])`,
    expire: `DELETE FROM ${records} WHERE expires < now()`,
    // A writer that puts a file meanwhile changes its row: the condition is then tried again, on the new time. Rows are
    // locked in the order of the hashes, as writers do.
    sweep: `WITH unused AS (
        SELECT hash FROM ${files} AS file WHERE touched < now() - $1 * interval '1 millisecond'
          AND hash NOT IN (SELECT (regexp_matches(text, '"([0-9a-f]{64})"', 'g'))[1] FROM ${records})
        ORDER BY hash FOR UPDATE)
      DELETE FROM ${files} AS file USING unused WHERE file.hash = unused.hash RETURNING 1`,
  } as const
}

/** Errors that pass: a lost connection, a server that stops or starts, too many connections, a deadlock. */
const PASSING = /^(?:08...|57P0[123]|53300|40001|40P01|25006)$/
const PASSING_OF_SYSTEM = /^(?:ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ENOENT|ETIMEDOUT|EAI_AGAIN)$/
const PASSING_OF_CLIENT = /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered)/

const REMEDIES: Readonly<Record<string, string>> = {
  '28000': 'Give the pool a user that the server knows',
  '28P01': 'Give the pool the right password',
  '3F000': 'The schema was removed while it was in use. Open the stores again',
  '42501': 'Grant the role what it needs: usage of the schema, and to select, insert, update and delete in its tables',
  '42P01': 'The tables were removed while they were in use. Open the stores again',
  '53100': 'Its disk is full',
}

/** Sends a statement, and says what an error means. */
async function send(pool: PostgresPool, text: string, values: unknown[], timeout?: number): Promise<any[]> {
  try {
    return (await pool.query({ text, values, query_timeout: timeout })).rows
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
    if (PASSING.test(code) || PASSING_OF_SYSTEM.test(code) || PASSING_OF_CLIENT.test(message)) {
      throw new ConnectionLostError('PostgreSQL', error)
    }
    const remedy = REMEDIES[code] ?? 'See the log of the server'
    const said = `PostgreSQL refuses a call (${code === '' ? '' : `${code}, `}${message}). ${remedy}.`
    throw new SkillError('STORAGE_UNAVAILABLE', said, { cause: error })
  }
}
