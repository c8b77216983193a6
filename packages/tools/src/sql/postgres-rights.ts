import { ToolFailure } from '../result.ts'
import type { Ask } from './postgres-connection.ts'
import type { ScannedSql } from './postgres-scan.ts'

/** Roles of PostgreSQL that reach the server's files and programs. */
const SERVER_ROLES = ['pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program']

/** Volatile by name alone: they change nothing, and tell nothing but a time, a random number or sample, or a size. */
const HARMLESS = (
  'random random_normal gen_random_uuid uuidv4 uuidv7 clock_timestamp timeofday bernoulli system ' +
  'pg_relation_size pg_table_size pg_indexes_size pg_total_relation_size pg_database_size'
).split(' ')

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

/**
 * Refuses functions that PostgreSQL itself knows as volatile: they may change something, wait, or reach outside. Stable
 * and immutable ones cannot write, and the server holds them to it.
 * @throws {ToolFailure} NOT_ALLOWED
 */
export async function checkFunctions(
  ask: Ask,
  { called, afterRow, afterValue }: Pick<ScannedSql, 'called' | 'afterRow' | 'afterValue'>,
  allowed: readonly string[],
): Promise<void> {
  const { rows } = await ask(
    `select distinct p.proname from pg_catalog.pg_proc p
     where p.provolatile = 'v' and p.prokind <> 'a' and not p.proname = any($4)
     and not (p.proname = any($5) and p.pronamespace = 'pg_catalog'::regnamespace)
     and (p.proname = any($1) or (p.pronargs > 0 and p.pronargs - p.pronargdefaults <= 1 and (p.proname = any($3) or
       p.proname = any($2) and exists (
         select from pg_catalog.pg_type t where t.oid = p.proargtypes[0] and t.typtype in ('c', 'd', 'p')))))
     order by 1`,
    [called, afterRow, afterValue, allowed, HARMLESS],
  )
  if (rows.length === 0) return
  const names = rows.map(([name]) => String(name)).join(', ')
  throw new ToolFailure('NOT_ALLOWED', `The statement calls what may have effects: ${names}. Leave that out.`)
}
