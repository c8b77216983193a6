/**
 * The process in which one statement for SQLite runs. A statement blocks its thread, and neither a timer nor the end of
 * a worker interrupts it: only a process can be ended at the deadline. It reads its job from standard input, and writes
 * one answer.
 */
import { Buffer } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import process from 'node:process'
import { constants, DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import type { ToolErrorCode } from '../result.ts'
import type { SqlAccess, SqlLimits, SqlRequest, SqlResult } from './statement.ts'

/** One statement, and the database that it is for. */
export interface SqliteJob extends SqlRequest, SqlLimits {
  readonly file: string
  readonly access: SqlAccess
}

/** What came of it. */
export type SqliteAnswer = { readonly result: SqlResult } | { readonly code: ToolErrorCode; readonly message: string }

/** What the newest Node's types have, and the oldest one's do not. */
interface GuardedDatabase extends DatabaseSync {
  readonly limits: { length: number; attach: number }
  setAuthorizer(check: ((action: number, first: string | null, second: string | null) => number) | null): void
}

const CODES = constants as unknown as Readonly<Record<string, number>>
const READING: ReadonlySet<unknown> = new Set([CODES['SQLITE_SELECT'], CODES['SQLITE_READ'], CODES['SQLITE_RECURSIVE']])
const CHANGING: ReadonlySet<unknown> = new Set([CODES['SQLITE_INSERT'], CODES['SQLITE_UPDATE'], CODES['SQLITE_DELETE']])
/** They describe a table, by its name. */
const SCHEMA_PRAGMAS = /^(?:table_x?info|table_list|index_x?info|index_list|foreign_key_list)$/
/** What tables for full text ask about their file. With a value, they would set it. */
const FULL_TEXT_PRAGMAS = /^(?:data_version|page_size)$/
/** They load code, or keep pointers to it. All other functions of a database without extensions only compute. */
const REFUSED_FUNCTIONS = /^(?:load_extension|fts3_tokenizer)$/i
const TOO_BIG = 18
const MAX_HEAP_BYTES = 256 * 1024 * 1024

/** What SQLite asked about a statement while it prepared and ran it. */
const asked = { isRefused: false, isChange: false }

process.stdout.write(JSON.stringify(runJob(JSON.parse(await text(process.stdin)) as SqliteJob)))

function runJob(job: SqliteJob): SqliteAnswer {
  const { file, access, timeoutMs: timeout } = job
  try {
    const options = { readOnly: access === 'read', allowExtension: false, timeout }
    const database = new DatabaseSync(file, options) as GuardedDatabase
    // Views and triggers of the file call nothing that has effects, and sorting stays in memory.
    database.exec(`pragma trusted_schema = off; pragma temp_store = memory; pragma hard_heap_limit = ${MAX_HEAP_BYTES}`)
    if (access === 'write') database.exec('begin immediate')
    database.limits.attach = 0
    database.setAuthorizer((action, first, second) => {
      asked.isChange ||= CHANGING.has(action)
      if (isAllowed(action, first, second, access)) return CODES['SQLITE_OK']!
      asked.isRefused = true
      return CODES['SQLITE_DENY']!
    })
    const answer = runStatement(database, job)
    database.setAuthorizer(null)
    // Whatever was begun and is not committed is taken back when the process ends.
    if (access === 'write' && 'result' in answer) database.exec('commit')
    return answer
  } catch (error) {
    const { message, errcode } = error as Error & { readonly errcode?: number }
    if (asked.isRefused) return notAllowed(`it does what is not allowed here: ${message}`)
    if (errcode !== TOO_BIG) return { code: 'FAILED', message: `SQLite: ${message.replace(/\.$/, '')}.` }
    return { code: 'TOO_LARGE', message: 'A value is too large. Ask for a part of it, as with substr().' }
  }
}

function isAllowed(action: number, first: string | null, second: string | null, access: SqlAccess): boolean {
  if (READING.has(action)) return true
  if (action === CODES['SQLITE_PRAGMA'])
    return SCHEMA_PRAGMAS.test(first ?? '') || (FULL_TEXT_PRAGMAS.test(first ?? '') && second === null)
  if (action === CODES['SQLITE_FUNCTION']) return !REFUSED_FUNCTIONS.test(second ?? '')
  return access === 'write' && CHANGING.has(action) && first !== null && !/^sqlite_/i.test(first)
}

function runStatement(database: GuardedDatabase, { sql, params, maxRows, maxBytes }: SqliteJob): SqliteAnswer {
  const statement = database.prepare(sql)
  // Only the first one is prepared; what follows would be left out without a word.
  if (!isEmpty(sql.slice(statement.sourceSQL.length))) return notAllowed('there is more than one. Pass one at a time')
  // About some, such as VACUUM, SQLite does not ask beforehand.
  if (!asked.isChange && statement.columns().length === 0) return notAllowed('it neither selects nor changes rows')
  if (!hasPlacesFor(statement, params.length)) {
    const message = `The statement was not run: \`params\` has length ${params.length}. It needs that many places, each \`?\`.`
    return { code: 'INPUT_INVALID', message }
  }
  database.limits.length = maxBytes
  statement.setReadBigInts(true)
  statement.setReturnArrays(true)
  const values = params.map(boundValue)
  const columns = statement.columns().map(({ name }) => name ?? '')
  const rows: unknown[][] = []
  let truncated = false
  let left = maxBytes
  for (const row of statement.iterate(...values) as Iterable<unknown> as Iterable<unknown[]>) {
    const plain = row.map(plainValue)
    left -= Buffer.byteLength(JSON.stringify(plain))
    truncated = rows.length === maxRows || left < 0
    if (truncated) break
    rows.push(plain)
  }
  // Of the statement alone, without those that its triggers changed.
  const changes = Number(database.prepare('select changes() as n').get()!['n'])
  return { result: { columns, rows, truncated, ...(asked.isChange && { changes }) } }
}

function notAllowed(why: string): SqliteAnswer {
  return { code: 'NOT_ALLOWED', message: `The statement is not run: ${why}.` }
}

/**
 * Whether a statement has as many places as there are parameters: SQLite takes a place without one for NULL. It says
 * itself where the places are: a text that is put into each of them comes back between the parts of the statement.
 */
function hasPlacesFor(statement: StatementSync, count: number): boolean {
  const mark = randomBytes(16).toString('hex')
  try {
    // Nothing is run until a row is asked for.
    statement.iterate(...Array.from({ length: count }, () => mark))
  } catch {
    return false
  }
  const parts = statement.expandedSQL.split(`'${mark}'`)
  return parts.length === count + 1 && parts.join('?') === statement.sourceSQL
}

/** Whether nothing is left but space, semicolons and comments. */
function isEmpty(rest: string): boolean {
  return /^(?:[\s;]|--[^\n]*(?:\n|$)|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$))*$/.test(rest)
}

/** A number of JavaScript would be a REAL: 7 / 2 would be 3.5. */
function boundValue(value: SqlRequest['params'][number]): SQLInputValue {
  return typeof value === 'boolean' || Number.isSafeInteger(value) ? BigInt(value!) : value
}

/** A value as JSON has it. */
function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  return value
}
