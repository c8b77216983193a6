import { Buffer } from 'node:buffer'
import { constants, DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { randomBytes } from 'node:crypto'
import { plainValue, type SqlAccess, type SqlLimits, type SqlRequest, type SqlResult } from './statement.ts'

/** One statement, and the database that it is for. */
export interface SqliteJob extends SqlRequest, SqlLimits {
  /** The file; absent: `snapshot`. */
  readonly file?: string
  /** A database in memory, base64. */
  readonly snapshot?: string
  readonly access: SqlAccess
}

/** What came of it. */
export type SqliteAnswer =
  | { readonly ok: true; readonly result: SqlResult }
  | {
      readonly ok: false
      readonly kind: 'refused' | 'too-large' | 'several' | 'parameters' | 'failed'
      readonly message: string
    }

/** What the newest Node's types have, and the oldest one's do not. */
interface GuardedDatabase extends DatabaseSync {
  readonly limits: { length: number; attach: number }
  setAuthorizer(check: ((action: number, first: string | null, second: string | null) => number) | null): void
  deserialize(bytes: Uint8Array): void
}

const {
  SQLITE_OK,
  SQLITE_DENY,
  SQLITE_SELECT,
  SQLITE_READ,
  SQLITE_FUNCTION,
  SQLITE_RECURSIVE,
  SQLITE_INSERT,
  SQLITE_UPDATE,
  SQLITE_DELETE,
  SQLITE_PRAGMA,
} = constants as unknown as Readonly<Record<string, number>>

const READING: ReadonlySet<unknown> = new Set([SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE])
const CHANGING: ReadonlySet<unknown> = new Set([SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE])
/** They tell how tables are made, by the name of one. */
const SCHEMA_PRAGMAS: ReadonlySet<string | null> = new Set(
  'table_info table_xinfo table_list index_list index_info index_xinfo foreign_key_list'.split(' '),
)
/** What tables for full text ask about their file. With a value, they would set it. */
const OF_FULL_TEXT: ReadonlySet<string | null> = new Set(['data_version', 'page_size'])
/** They load code, or keep pointers to it. All other functions of a database without extensions only compute. */
const REFUSED_FUNCTIONS: ReadonlySet<unknown> = new Set(['load_extension', 'fts3_tokenizer'])
const TOO_BIG = 18
const MAX_HEAP_BYTES = 256 * 1024 * 1024

/** What SQLite asked about a statement while it prepared and ran it. */
interface Asked {
  /** Whether for something that is not allowed. SQLite has several codes for that. */
  isRefused: boolean
  /** Whether it selects or changes rows. About others, such as VACUUM, SQLite does not ask beforehand. */
  isKnown: boolean
  /** Whether it changes rows. */
  isChange: boolean
}

/** Opens the database, runs the statement, and closes it. Blocks the thread until then. */
export function runSqlite(job: SqliteJob): SqliteAnswer {
  const asked: Asked = { isRefused: false, isKnown: false, isChange: false }
  try {
    return answerTo(job, asked)
  } catch (error) {
    return failureOf(error, asked)
  }
}

function answerTo(job: SqliteJob, asked: Asked): SqliteAnswer {
  const { file, snapshot, access, timeoutMs } = job
  const options = { readOnly: access === 'read' && file !== undefined, allowExtension: false, timeout: timeoutMs }
  const database = new DatabaseSync(file ?? ':memory:', options) as GuardedDatabase
  try {
    if (snapshot !== undefined) database.deserialize(Buffer.from(snapshot, 'base64'))
    // Views and triggers of the file call nothing that has effects, and sorting stays in memory.
    database.exec(`pragma trusted_schema = off; pragma temp_store = memory; pragma hard_heap_limit = ${MAX_HEAP_BYTES}`)
    if (access === 'read') database.exec('pragma query_only = on')
    else database.exec('begin immediate')
    database.limits.attach = 0
    database.setAuthorizer((action, first, second) => {
      asked.isKnown ||= action === SQLITE_SELECT || CHANGING.has(action) || isSchemaPragma(action, first)
      asked.isChange ||= CHANGING.has(action)
      if (isAllowed(action, first, second, access)) return SQLITE_OK!
      asked.isRefused = true
      return SQLITE_DENY!
    })
    const answer = runStatement(database, job, asked)
    database.setAuthorizer(null)
    if (access === 'write') database.exec(answer.ok ? 'commit' : 'rollback')
    return answer
  } finally {
    // Whatever was begun and not committed is taken back.
    database.close()
  }
}

function isSchemaPragma(action: number, name: string | null): boolean {
  return action === SQLITE_PRAGMA && SCHEMA_PRAGMAS.has(name)
}

function isAllowed(action: number, first: string | null, second: string | null, access: SqlAccess): boolean {
  if (READING.has(action) || isSchemaPragma(action, first)) return true
  if (action === SQLITE_PRAGMA) return OF_FULL_TEXT.has(first) && second === null
  if (action === SQLITE_FUNCTION) return !REFUSED_FUNCTIONS.has(second?.toLowerCase())
  return access === 'write' && CHANGING.has(action) && first !== null && !/^sqlite_/i.test(first)
}

function runStatement(
  database: GuardedDatabase,
  { sql, params, maxRows, maxBytes }: SqliteJob,
  asked: Asked,
): SqliteAnswer {
  const statement = database.prepare(sql)
  // Only the first one is prepared; what follows would be left out without a word.
  if (!isEmpty(sql.slice(statement.sourceSQL.length))) return { ok: false, kind: 'several', message: '' }
  if (!asked.isKnown) return { ok: false, kind: 'refused', message: 'it neither selects nor changes rows' }
  const problem = parameterProblem(statement, params.length)
  if (problem !== undefined) return { ok: false, kind: 'parameters', message: problem }
  database.limits.length = maxBytes
  statement.setReadBigInts(true)
  statement.setReturnArrays(true)
  const values = params.map((value): SQLInputValue => (typeof value === 'boolean' ? Number(value) : value))
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
  const changes = asked.isChange ? { changes: changesOf(database) } : {}
  return { ok: true, result: { columns, rows, truncated, ...changes } }
}

/** Rows that the last statement changed, without those that its triggers changed. */
function changesOf(database: GuardedDatabase): number {
  return Number(Object.values(database.prepare('select changes()').get()!)[0])
}

/**
 * Compares the places of a statement with the number of parameters: SQLite takes a place without one for NULL. It says
 * itself where the places are: a text that is put into each of them comes back between the parts of the statement.
 */
function parameterProblem(statement: StatementSync, given: number): string | undefined {
  const mark = randomBytes(16).toString('hex')
  try {
    // Nothing is run until a row is asked for.
    statement.iterate(...Array.from({ length: given }, () => mark))
  } catch {
    return `it has places for fewer than ${given} parameters`
  }
  const parts = statement.expandedSQL.split(`'${mark}'`)
  if (parts.length === given + 1 && parts.join('?') === statement.sourceSQL) return undefined
  return `it has other places than ${given} times \`?\``
}

/** Whether nothing is left but space, semicolons and comments. */
function isEmpty(rest: string): boolean {
  return /^(?:[\s;]|--[^\n]*(?:\n|$)|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$))*$/.test(rest)
}

function failureOf(error: unknown, { isRefused }: Asked): SqliteAnswer {
  const { message, errcode } = error as Error & { readonly errcode?: number }
  const kind = isRefused ? 'refused' : errcode === TOO_BIG ? 'too-large' : 'failed'
  return { ok: false, kind, message }
}
