import { ToolFailure } from '../result.ts'
import type { Ask } from './postgres-connection.ts'

/** Roles of PostgreSQL that reach the server's files and programs. */
const SERVER_ROLES = ['pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program']

/**
 * Functions whose effects are left when the transaction is taken back, that wait, or that run a text as a statement, in
 * which a name could be put together. Everything else that has effects, a transaction that only reads refuses.
 */
const REFUSED = new RegExp(
  `\\b(?:${[
    'set_config|setval|ts_stat|ts_rewrite|\\w+_to_xml\\w*|dblink\\w*',
    'pg_sleep\\w*|pg_(?:try_)?advisory\\w*|pg_(?:cancel|terminate)_backend|pg_notify',
    'pg_(?:read|ls|file)_\\w+|pg_stat_(?:file|reset\\w*)|pg_(?:reload|rotate|promote|log)\\w*',
    'pg_(?:create|drop|copy|switch|start|stop|backup|logical|replication_origin|import|export)_\\w+',
    'lo_(?:creat\\w*|import|export|unlink|put|from_bytea)',
  ].join('|')})\\b`,
  'i',
)

/** A name with escapes would hide one of these. */
const ESCAPED_NAME = /\bu&\s*"/i

/**
 * Refuses a statement in which the name of such a function stands, wherever it stands.
 * @throws {ToolFailure} NOT_ALLOWED
 */
export function checkFunctions(sql: string): void {
  const name = sql.includes('\0') ? 'the character NUL' : (REFUSED.exec(sql) ?? ESCAPED_NAME.exec(sql))?.[0]
  if (name === undefined) return
  throw new ToolFailure('NOT_ALLOWED', `The statement holds ${name}, which is not allowed here. Leave that out.`)
}

/**
 * Refuses roles that no transaction holds: a superuser reads and writes the server's files, and runs programs there.
 * @throws {ToolFailure} NOT_ALLOWED
 */
export async function checkRole(ask: Ask): Promise<void> {
  const { rows } = await ask(
    `select r.rolname from pg_catalog.pg_roles r where r.rolname in (current_user, session_user)
     and (r.rolsuper or exists (select from pg_catalog.pg_roles g where g.rolname = any($1) and pg_catalog.pg_has_role(r.oid, g.oid, 'member')))`,
    [SERVER_ROLES],
  )
  if (rows.length === 0) return
  throw new ToolFailure(
    'NOT_ALLOWED',
    `The database is not asked: the role ${JSON.stringify(rows[0]![0])} of the host may use the server's files or programs. The host would have to connect with a role that may only read its tables.`,
  )
}
