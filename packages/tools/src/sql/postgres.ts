import { ToolFailure } from '../result.ts'
import { type Ask, clientOf, type PostgresConnection } from './postgres-connection.ts'
import { checkFunctions, checkRole } from './postgres-rights.ts'
import { type ScannedSql, scanPostgres } from './postgres-scan.ts'
import { timedOut } from './sqlite.ts'
import {
  plainValue,
  type SqlAccess,
  type SqlDatabase,
  type SqlLimits,
  type SqlRequest,
  type SqlResult,
} from './statement.ts'

/** Statements that return rows, and are asked inside of another one. */
const SELECTING: ReadonlySet<string> = new Set(['select', 'values', 'table', 'with', '('])
const CHANGING: ReadonlySet<string> = new Set(['insert', 'update', 'delete', 'merge', 'with'])

/** A statement was ended: by its time limit, or by somebody. */
const CANCELLED = '57014'
/** Such as changing rows inside of another statement. */
const NOT_SUPPORTED = '0A000'

/**
 * Asks PostgreSQL by a connection of the host's. What only reads is asked as a part of a statement of ours, through a
 * cursor in a transaction that cannot write and is taken back in the end, so that nothing is left of it: no row, and no
 * setting of the session.
 * @param functions that may be called though they have effects
 */
export function postgresDatabase(
  connection: PostgresConnection,
  access: SqlAccess,
  functions: readonly string[],
): SqlDatabase {
  const withClient = clientOf(connection)
  return {
    dialect: 'PostgreSQL',
    run(request, limits, signal) {
      const scanned = scan(request.sql, access)
      return withClient(limits.timeoutMs, signal, async (ask) => {
        try {
          return await inTransaction(ask, access, limits.timeoutMs, async () => {
            await checkRole(ask)
            await checkFunctions(ask, scanned, functions)
            return runStatement(ask, scanned, request, limits, access)
          })
        } catch (error) {
          throw failureOf(error, limits.timeoutMs)
        }
      })
    },
  }
}

/** @throws {ToolFailure} NOT_ALLOWED */
function scan(sql: string, access: SqlAccess): ScannedSql {
  const scanned = scanPostgres(sql)
  if ('problem' in scanned) throw new ToolFailure('NOT_ALLOWED', `The statement is not run: ${scanned.problem}.`)
  const { command } = scanned
  if (!SELECTING.has(command) && !(access === 'write' && CHANGING.has(command))) {
    const allowed = access === 'read' ? 'that reads: SELECT, VALUES, TABLE or WITH' : 'that reads or changes rows'
    throw new ToolFailure('NOT_ALLOWED', `The statement is not one ${allowed}.`)
  }
  return scanned
}

async function inTransaction<T>(ask: Ask, access: SqlAccess, timeoutMs: number, work: () => Promise<T>): Promise<T> {
  await ask(access === 'read' ? 'begin read only' : 'begin read write')
  try {
    // Of this transaction alone. Each statement has a time limit, and the caller has one for all.
    await ask(`set local statement_timeout = ${timeoutMs}`)
    await ask(`set local lock_timeout = ${timeoutMs}`)
    await ask('set local standard_conforming_strings = on')
    const result = await work()
    await ask(access === 'read' ? 'rollback' : 'commit')
    return result
  } catch (error) {
    await ask('rollback')
    throw error
  }
}

async function runStatement(
  ask: Ask,
  { sql, command }: ScannedSql,
  { params }: SqlRequest,
  limits: SqlLimits,
  access: SqlAccess,
): Promise<SqlResult> {
  if (access === 'read' || !CHANGING.has(command)) return runSelection(ask, sql, params, limits)
  if (command === 'with') {
    await ask('savepoint before')
    try {
      return await runSelection(ask, sql, params, limits)
    } catch (error) {
      if ((error as { readonly code?: unknown }).code !== NOT_SUPPORTED) throw error
      await ask('rollback to savepoint before')
    }
  }
  const { rows, fields, rowCount } = await ask(sql, params)
  return cut(
    fields.map(({ name }) => name),
    rows,
    limits,
    rowCount ?? 0,
  )
}

/** Asks for rows as a part of a statement that adds up their size: what is over the limit never leaves the server. */
async function runSelection(
  ask: Ask,
  sql: string,
  params: readonly unknown[],
  { maxRows, maxBytes }: SqlLimits,
): Promise<SqlResult> {
  const { fields } = await ask(`select * from (${sql}\n) as t limit 0`, params)
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

/** What a statement returns that changes rows. It has to run whole, so its rows are here already. */
function cut(
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
  { maxRows, maxBytes }: SqlLimits,
  changes: number,
): SqlResult {
  const kept: unknown[][] = []
  let left = maxBytes
  for (const row of rows.slice(0, maxRows)) {
    const plain = row.map(plainValue)
    left -= Buffer.byteLength(JSON.stringify(plain))
    if (left < 0) break
    kept.push(plain)
  }
  return { columns, rows: kept, truncated: kept.length < rows.length, changes }
}

function failureOf(error: unknown, timeoutMs: number): unknown {
  if (error instanceof ToolFailure || !(error instanceof Error)) return error
  if ('code' in error && error.code === CANCELLED) return timedOut(timeoutMs)
  return new ToolFailure('FAILED', `PostgreSQL: ${error.message}.`, { cause: error })
}
