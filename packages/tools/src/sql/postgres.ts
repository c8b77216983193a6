import { randomBytes } from 'node:crypto'
import { ToolFailure } from '../result.ts'
import { type Ask, type PostgresConnection, type PostgresResult, clientOf } from './postgres-connection.ts'
import { checkFunctions, checkRole } from './postgres-rights.ts'
import { timedOut } from './sqlite.ts'
import {
  type SqlAccess,
  type SqlDatabase,
  type SqlLimits,
  type SqlRequest,
  type SqlResult,
  checkParameters,
  plainValue,
} from './statement.ts'

/** A statement was cancelled, by its time limit or from outside. */
const CANCELLED = '57014'
/** A transaction that only reads does not take the statement. */
const ONLY_READS = '25006'
/** A syntax error, or a statement that cannot be prepared. */
const NOT_PREPARED: ReadonlySet<unknown> = new Set(['42601', '42P14', '0A000'])
/** The server does not take a statement inside of another one: it changes rows, or returns none. */
const NOT_INSIDE: ReadonlySet<unknown> = new Set(['0A000', '42601'])

/**
 * Asks PostgreSQL by a connection of the host's. The server itself says what the statement is: it must be one that can be
 * prepared, so it selects or changes rows. What only reads is asked through a cursor in a transaction that cannot write and
 * is taken back in the end, so that nothing is left of it: no row, and no setting of the session.
 */
export function postgresDatabase(connection: PostgresConnection, access: SqlAccess): SqlDatabase {
  const withClient = clientOf(connection)
  return {
    dialect: 'PostgreSQL',
    run(request, limits, signal) {
      checkFunctions(request.sql)
      return withClient(limits.timeoutMs, signal, async (ask) => {
        try {
          return await inTransaction(ask, access, limits.timeoutMs, async () => {
            await checkRole(ask)
            await checkStatement(ask, request)
            return runStatement(ask, { ...request, sql: withoutEnd(request.sql) }, limits, access)
          })
        } catch (error) {
          throw failureOf(error, limits.timeoutMs)
        }
      })
    },
  }
}

/** Without the semicolons at its end, so that it can be a part of another statement. */
function withoutEnd(sql: string): string {
  return sql.replace(/[\s;]+$/, '')
}

/**
 * Has the server read the statement: it prepares none but SELECT, VALUES, INSERT, UPDATE, DELETE and MERGE, and only one. A
 * statement that is whole by itself means the same inside of another one.
 * @throws {ToolFailure} NOT_ALLOWED, FAILED; INPUT_INVALID: another number of parameters
 */
async function checkStatement(ask: Ask, { sql, params }: SqlRequest): Promise<void> {
  // Prepared statements outlive a transaction: one that a lost connection has left is in nobody's way.
  const name = `repertoire_${randomBytes(8).toString('hex')}`
  try {
    await ask(`prepare ${name} as ${sql}`)
  } catch (error) {
    if (!NOT_PREPARED.has((error as { readonly code?: unknown }).code)) throw error
    const said = (error as Error).message
    const message = `The statement is not run: ${said}. Pass one statement that selects or changes rows.`
    throw new ToolFailure('NOT_ALLOWED', message, { cause: error })
  }
  const { rows } = await ask(
    'select cardinality(parameter_types) from pg_catalog.pg_prepared_statements where name = $1',
    [name],
  )
  await ask(`deallocate ${name}`)
  checkParameters(Number(rows[0]?.[0]), params)
}

async function inTransaction<T>(ask: Ask, access: SqlAccess, timeoutMs: number, work: () => Promise<T>): Promise<T> {
  const writes = access === 'write'
  await ask(writes ? 'begin read write' : 'begin read only')
  try {
    const before = writes ? await sessionSettings(ask) : undefined
    // Of this transaction alone. Each statement has a time limit, and the caller has one for all.
    await ask(`set local statement_timeout = ${timeoutMs}`)
    await ask(`set local lock_timeout = ${timeoutMs}`)
    await ask('set local standard_conforming_strings = on')
    await ask("set local datestyle = 'ISO'")
    const result = await work()
    await ask(writes ? 'commit' : 'rollback')
    if (before !== undefined) await putBack(ask, before)
    return result
  } catch (error) {
    await ask('rollback')
    throw error
  }
}

async function runStatement(ask: Ask, request: SqlRequest, limits: SqlLimits, access: SqlAccess): Promise<SqlResult> {
  const { sql, params } = request
  const selected = await insideAnother(ask, () => ask(`select * from (${sql}\n) as t limit 0`, params))
  if (selected !== undefined) return runSelection(ask, request, limits, selected.fields)
  if (access === 'read') throw new ToolFailure('NOT_ALLOWED', 'The statement does not only read.')
  return (await insideAnother(ask, () => runChange(ask, request, limits))) ?? cut(await ask(sql, params), limits)
}

/** Runs work that asks a statement inside of another one; undefined where the server does not take it there. */
async function insideAnother<T>(ask: Ask, work: () => Promise<T>): Promise<T | undefined> {
  await ask('savepoint before')
  try {
    return await work()
  } catch (error) {
    if (!NOT_INSIDE.has((error as { readonly code?: unknown }).code)) throw error
    await ask('rollback to savepoint before')
    return undefined
  }
}

/** Changes rows, and reads the rows that the statement returns, up to the limit. */
async function runChange(ask: Ask, { sql, params }: SqlRequest, { maxRows, maxBytes }: SqlLimits): Promise<SqlResult> {
  const size = 'sum(octet_length(a::text)) over (rows unbounded preceding) as answer_bytes'
  const { rows, fields } = await ask(
    `with answer as (${sql}\n) select c.n, q.* from (select count(*) as n from answer) as c left join (select a.*, ${size} from answer as a) as q on q.answer_bytes <= ${maxBytes} limit ${maxRows}`,
    params,
  )
  const changes = Number(rows[0]?.[0] ?? 0)
  const kept = rows.filter((row) => row.at(-1) !== null).map((row) => row.slice(1, -1).map(plainValue))
  return { columns: fields.slice(1, -1).map(({ name }) => name), rows: kept, truncated: kept.length < changes, changes }
}

/** Asks for rows as a part of a statement that adds up their size: what is over the limit never leaves the server. */
async function runSelection(
  ask: Ask,
  { sql, params }: SqlRequest,
  { maxRows, maxBytes }: SqlLimits,
  fields: PostgresResult['fields'],
): Promise<SqlResult> {
  if (fields.length === 0) throw new ToolFailure('INPUT_INVALID', 'The statement selects no columns.')
  const names = fields.map((_, index) => `c${index + 1}`)
  const shown = names.map((name) => `case when q.total <= ${maxBytes} then q.${name} end`)
  const total = 'sum(octet_length(t::text)) over (rows unbounded preceding) as total'
  await ask(
    `declare answer no scroll cursor for select ${['q.total', ...shown].join(', ')} from (select t.*, ${total} from (${sql}\n) as t(${names.join(', ')})) as q`,
    params,
  )
  const { rows } = await ask(`fetch ${maxRows + 1} from answer`)
  const whole = rows.filter(([size]) => Number(size) <= maxBytes)
  return {
    columns: fields.map(({ name }) => name),
    rows: whole.slice(0, maxRows).map(([, ...values]) => values.map(plainValue)),
    truncated: rows.length > maxRows || whole.length < rows.length,
  }
}

/** What a statement returns that cannot be asked inside of another one: its rows are here already. */
function cut({ rows, fields, rowCount }: PostgresResult, { maxRows, maxBytes }: SqlLimits): SqlResult {
  const kept: unknown[][] = []
  let left = maxBytes
  for (const row of rows.slice(0, maxRows)) {
    const plain = row.map(plainValue)
    left -= Buffer.byteLength(JSON.stringify(plain))
    if (left < 0) break
    kept.push(plain)
  }
  const columns = fields.map(({ name }) => name)
  return { columns, rows: kept, truncated: kept.length < rows.length, changes: rowCount ?? 0 }
}

function failureOf(error: unknown, timeoutMs: number): unknown {
  if (error instanceof ToolFailure || !(error instanceof Error)) return error
  const code = 'code' in error ? error.code : undefined
  if (code === CANCELLED) return timedOut(timeoutMs)
  if (code === ONLY_READS) return new ToolFailure('NOT_ALLOWED', `The statement does not only read: ${error.message}.`)
  return new ToolFailure('FAILED', `PostgreSQL: ${error.message}.`, { cause: error })
}

/** What a session has set for itself, by name. */
type SessionSettings = ReadonlyMap<unknown, unknown>

/** Reads what the session of a connection has set for itself. */
async function sessionSettings(ask: Ask): Promise<SessionSettings> {
  const { rows } = await ask(`select name, setting from pg_catalog.pg_settings where source = 'session'`)
  return new Map(rows.map(([name, setting]) => [name, setting]))
}

/**
 * Puts settings back that a statement has changed for longer than its transaction. No function needs to be called for
 * that: `pg_settings` is a view that can be updated. The next statement on the connection is the host's.
 */
async function putBack(ask: Ask, before: SessionSettings): Promise<void> {
  const after = await sessionSettings(ask)
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    if (before.get(name) === after.get(name)) continue
    if (before.has(name)) await ask('select pg_catalog.set_config($1, $2, false)', [name, before.get(name)])
    else await ask(`reset "${String(name).replaceAll('"', '""')}"`)
  }
}
