import { SkillError } from '@repertoire/core'
import { ConnectionLostError } from '../engine.ts'

/** What is used of a `Pool` of the package `pg`. */
export interface PostgresPool {
  readonly options?: { readonly max?: number }
  query(query: PostgresQuery): Promise<PostgresResult>
  connect(): Promise<PostgresClient>
  on(event: 'error', listener: (error: Error) => void): unknown
}

/** What is used of a client of such a pool. */
interface PostgresClient {
  query(query: PostgresQuery): Promise<PostgresResult>
  on(event: string, listener: (...args: unknown[]) => void): unknown
  release(destroy?: boolean | Error): void
}

/** A statement with its values. */
interface PostgresQuery {
  readonly text: string
  readonly values?: unknown[]
  /** How long it may take, in milliseconds. The pool gives up a connection that takes longer. */
  readonly query_timeout?: number
}

/** The rows of an answer. */
interface PostgresResult {
  readonly rows: unknown[]
}

/** Rows with the columns that the statement says. */
type Rows = any[]

/** Errors that pass: a lost connection, a server that stops or starts, too many connections, a deadlock. */
const PASSING = /^(?:08...|57P0[123]|53300|40001|40P01|25006)$/
const PASSING_OF_SYSTEM = /^(?:ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ENOENT|ETIMEDOUT|EAI_AGAIN)$/

const REMEDIES: Readonly<Record<string, string>> = {
  '28000': 'Give the pool a user that the server knows',
  '28P01': 'Give the pool the right password',
  '3F000': 'The schema was removed while it was in use. Open the stores again',
  '42501': 'Grant the role what it needs: usage of the schema, and to select, insert, update and delete in its tables',
  '42P01': 'The tables were removed while they were in use. Open the stores again',
  '53100': 'Its disk is full',
}

/** The time limit of one statement. The operation as a whole has its own limit. */
export const STATEMENT_TIMEOUT_MS = 120_000

/** Sends a statement, and says what an error means. */
export function query(pool: PostgresPool, text: string, ...values: unknown[]): Promise<Rows> {
  return send(pool, { text, values, query_timeout: STATEMENT_TIMEOUT_MS })
}

/** The same for a statement that goes through all there is, however long that takes. */
export function longQuery(pool: PostgresPool, text: string, ...values: unknown[]): Promise<Rows> {
  return send(pool, { text, values })
}

async function send(pool: PostgresPool, statement: PostgresQuery): Promise<Rows> {
  try {
    return (await pool.query(statement)).rows
  } catch (error) {
    throw meaningOf(error)
  }
}

const tolerant = new WeakSet<PostgresPool>()

/**
 * Lets a pool lose a connection while nobody uses it, and open another: without a listener that would end the process. One
 * listener for each pool, however many stores use it.
 */
export function tolerateLostConnections(pool: PostgresPool): void {
  if (tolerant.has(pool)) return
  tolerant.add(pool)
  pool.on('error', () => {})
}

/** What an error of the server, or of the way to it, means. */
export function meaningOf(error: unknown): unknown {
  const message = error instanceof Error ? error.message : String(error)
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
  const isOfConnection = /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered)/
  if (PASSING.test(code) || PASSING_OF_SYSTEM.test(code) || isOfConnection.test(message)) {
    return new ConnectionLostError('PostgreSQL', error)
  }
  const remedy = REMEDIES[code] ?? 'See the log of the server'
  const said = `PostgreSQL refuses a call (${code === '' ? '' : `${code}, `}${message}). ${remedy}.`
  return new SkillError('STORAGE_UNAVAILABLE', said, { cause: error })
}
