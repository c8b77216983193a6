import { type ToolErrorCode, ToolFailure } from '../result.ts'
import { type Ask, type PostgresConnection, type PostgresResult, withClient } from './postgres-pool.ts'
import {
  type SqlAccess,
  type SqlDatabase,
  type SqlLimits,
  type SqlRequest,
  type SqlResult,
  timedOut,
} from './statement.ts'

/**
 * Asks PostgreSQL by a pool of the host. The server itself says what the statement is: its plan shows whether it
 * changes rows. What only reads is asked through a cursor in a transaction that cannot write and is taken back in the
 * end, so that nothing is left of it: no row, and no setting of the session.
 */
export function postgresDatabase(pool: PostgresConnection, access: SqlAccess): SqlDatabase {
  return {
    dialect: 'PostgreSQL',
    run(request, limits, signal) {
      checkNames(request.sql)
      return withClient(pool, limits.timeoutMs, signal, async (ask) => {
        try {
          await ask(access === 'write' ? 'begin read write' : 'begin read only')
          await ask(`set local statement_timeout = ${limits.timeoutMs}`)
          await ask("set local bytea_output = 'hex'")
          await checkRole(ask)
          const result = await runStatement(ask, request, limits, access)
          await ask(access === 'write' ? 'commit' : 'rollback')
          return result
        } catch (error) {
          await ask('rollback')
          throw failureOf(error, limits.timeoutMs)
        }
      })
    },
  }
}

/**
 * Names with effects that are left when the transaction is taken back, that wait, or that run a text as a statement. A
 * transaction that only reads refuses everything else that has effects. A name with escapes would hide one of these.
 */
const REFUSED = new RegExp(
  `\\b(?:${[
    'set_config|pg_settings|setval|ts_stat|ts_rewrite|\\w+_to_xml\\w*|dblink\\w*',
    'pg_sleep\\w*|pg_(?:try_)?advisory\\w*|pg_(?:cancel|terminate)_backend|pg_notify',
    'pg_(?:read|ls|file)_\\w+|pg_stat_(?:file|reset\\w*)|pg_(?:reload|rotate|promote|log)\\w*',
    'pg_(?:create|drop|copy|switch|start|stop|backup|logical|replication_origin|import|export)_\\w+',
    'lo_(?:creat\\w*|import|export|unlink|put|from_bytea)',
  ].join('|')})\\b|\\bu&\\s*"`,
  'i',
)

/** @throws {ToolFailure} NOT_ALLOWED: one of these names stands in the statement, wherever it stands */
function checkNames(sql: string): void {
  const name = sql.includes('\0') ? 'the character NUL' : REFUSED.exec(sql)?.[0]
  if (name === undefined) return
  throw new ToolFailure('NOT_ALLOWED', `The statement holds ${name}, which is not allowed here. Leave that out.`)
}

/**
 * Refuses roles that no transaction holds: a superuser reads and writes the server's files, and runs programs there.
 * @throws {ToolFailure} NOT_ALLOWED
 */
async function checkRole(ask: Ask): Promise<void> {
  const { rows } = await ask(
    `select r.rolname from pg_catalog.pg_roles r where r.rolname in (current_user, session_user)
     and (r.rolsuper or exists (select from pg_catalog.pg_roles g where g.rolname in
       ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program')
       and pg_catalog.pg_has_role(r.oid, g.oid, 'member')))`,
  )
  if (rows.length === 0) return
  throw new ToolFailure(
    'NOT_ALLOWED',
    `The database is not asked: the role ${JSON.stringify(rows[0]![0])} of the host may use the server's files or programs. The host would have to connect with a role that may only read its tables.`,
  )
}

/** What a server says of a part of its plan. */
interface Plan {
  readonly 'Node Type': string
  /** Of a change: what it returns. */
  readonly Output?: readonly string[]
  readonly Plans?: readonly Plan[]
}

/** The server explains none but a statement that is whole by itself, so it means the same inside of another one. */
async function runStatement(ask: Ask, request: SqlRequest, limits: SqlLimits, access: SqlAccess): Promise<SqlResult> {
  const { rows } = await ask(`explain (verbose, format json) ${request.sql}`, request.params)
  const plans = JSON.parse(String(rows[0]![0])) as readonly { readonly Plan?: Plan }[]
  const plan = plans.length === 1 ? plans[0]!.Plan : undefined
  if (plan === undefined)
    throw new ToolFailure('NOT_ALLOWED', 'A rule of the database makes other statements of this one.')
  const sql = request.sql.replace(/[\s;]+$/, '')
  if (!changesRows(plan)) return select(ask, { ...request, sql }, limits)
  if (access === 'read') throw new ToolFailure('NOT_ALLOWED', 'The statement does not only read.')
  if (plan['Node Type'] !== CHANGE || plan.Plans?.some(changesRows) === true) {
    throw new ToolFailure('NOT_ALLOWED', 'The statement changes rows inside of a WITH. Pass each change by itself.')
  }
  if (plan.Output !== undefined) return change(ask, { ...request, sql }, limits)
  const { rowCount } = await ask(sql, request.params)
  return { columns: [], rows: [], truncated: false, changes: rowCount ?? 0 }
}

const CHANGE = 'ModifyTable'

function changesRows({ 'Node Type': type, Plans = [] }: Plan): boolean {
  return type === CHANGE || Plans.some(changesRows)
}

/**
 * Rows as JSON, a list of values each, with the bytes up to there: what is over the limit never leaves the server. One
 * by one, since names of columns can repeat.
 */
function listed(rows: string): string {
  return `select repertoire_json, sum(octet_length(repertoire_json)) over (rows unbounded preceding) as repertoire_bytes
    from (select (select coalesce(json_agg(e.value), '[]') from pg_catalog.json_each(pg_catalog.row_to_json(repertoire_row)) e)::text
      as repertoire_json from ${rows} as repertoire_row) as repertoire_rows`
}

async function select(ask: Ask, { sql, params }: SqlRequest, { maxRows, maxBytes }: SqlLimits): Promise<SqlResult> {
  const { fields } = await ask(`select * from (${sql}\n) as repertoire_row limit 0`, params)
  await ask(
    `declare answer no scroll cursor for select case when repertoire_bytes <= ${maxBytes} then repertoire_json end
     from (${listed(`(${sql}\n)`)}) as repertoire_listed`,
    params,
  )
  const { rows } = await ask(`fetch ${maxRows + 1} from answer`)
  const kept = rows.slice(0, maxRows).filter(([json]) => json !== null)
  return { ...valuesOf(kept, fields), truncated: kept.length < rows.length }
}

/** Changes rows, and reads the rows that the statement returns, up to the limits. */
async function change(ask: Ask, { sql, params }: SqlRequest, { maxRows, maxBytes }: SqlLimits): Promise<SqlResult> {
  const { rows, fields } = await ask(
    `with repertoire_answer as (${sql}\n)
     select r.repertoire_json, c.changes, a.* from (select count(*) as changes from repertoire_answer) as c
     left join (select * from (${listed('repertoire_answer')}) as l where l.repertoire_bytes <= ${maxBytes} limit ${maxRows}) as r on true
     left join (select * from repertoire_answer limit 0) as a on true`,
    params,
  )
  const changes = Number(rows[0]![1])
  const kept = rows.filter(([json]) => json !== null)
  return { ...valuesOf(kept, fields.slice(2)), truncated: kept.length < changes, changes }
}

const BYTEA = 17

function valuesOf(rows: PostgresResult['rows'], fields: PostgresResult['fields']): Pick<SqlResult, 'columns' | 'rows'> {
  const isBytes = fields.map(({ dataTypeID }) => dataTypeID === BYTEA)
  return {
    columns: fields.map(({ name }) => name),
    rows: rows.map(([json]) =>
      (JSON.parse(String(json), exactly) as readonly unknown[]).map((value, index) =>
        isBytes[index] && typeof value === 'string' ? Buffer.from(value.slice(2), 'hex').toString('base64') : value,
      ),
    ),
  }
}

/** Keeps numbers that a double cannot hold as texts. */
function exactly(_: string, value: unknown, { source = '' }: { readonly source?: string } = {}): unknown {
  return typeof value !== 'number' || String(value) === source || source.replace(/\D/g, '').length <= 15
    ? value
    : source
}

/** What codes of PostgreSQL mean for the caller. All others are FAILED. */
const CODES: Readonly<Record<string, readonly [ToolErrorCode, remedy: string]>> = {
  // A syntax error, and what can be neither explained nor asked inside of another statement.
  '42601': ['NOT_ALLOWED', ' Pass one statement that selects or changes rows.'],
  '0A000': ['NOT_ALLOWED', ' Pass one statement that selects or changes rows.'],
  '25006': ['NOT_ALLOWED', ''],
  // The protocol counts parameters, and nothing is run.
  '08P01': ['INPUT_INVALID', ' Pass as many params as the statement has places for.'],
  '42P18': ['INPUT_INVALID', ' Pass as many params as the statement has places for.'],
}

function failureOf(error: unknown, timeoutMs: number): unknown {
  if (error instanceof ToolFailure || !(error instanceof Error)) return error
  const code = 'code' in error ? String(error.code) : ''
  // Cancelled, by its time limit or from outside.
  if (code === '57014') return timedOut(timeoutMs)
  const [kind, remedy] = CODES[code] ?? ['FAILED', '']
  return new ToolFailure(kind, `PostgreSQL: ${error.message}.${remedy}`, { cause: error })
}
