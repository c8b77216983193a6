import { checkOptions, foreign, number, oneOf, type OptionTable, required, withDefault } from '@repertoire/core/options'
import type { FunctionTool } from '@repertoire/core'
import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { postgresDatabase } from './postgres.ts'
import type { PostgresConnection } from './postgres-pool.ts'
import { sqliteDatabase, type SqliteConnection } from './sqlite.ts'
import type { SqlAccess, SqlResult } from './statement.ts'

/** Options of `executeSqlTool`. */
export interface ExecuteSqlToolOptions {
  /** The host's own connection: a `DatabaseSync` of `node:sqlite` over a file, or a `Pool` of `pg`. */
  readonly connection: SqliteConnection | PostgresConnection
  /** `read` (default), or `write`: rows may be inserted, updated and deleted. Tables are never created or dropped. */
  readonly access?: SqlAccess | undefined
  /** The most rows that are returned. Default 100. */
  readonly maxRows?: number | undefined
  /** The most bytes of all rows together, as JSON. Default 1,000,000. */
  readonly maxBytes?: number | undefined
  /** How long a statement may run, in milliseconds. Default 30,000. */
  readonly timeout?: number | undefined
}

export const EXECUTE_SQL_OPTIONS: OptionTable<ExecuteSqlToolOptions> = {
  connection: required(
    foreign(
      'a DatabaseSync of node:sqlite, or a Pool of pg',
      (value) => isSqlite(value) || (hasMethods(value, 'connect') && 'totalCount' in Object(value)),
    ),
  ),
  access: withDefault('read', oneOf('read', 'write')),
  maxRows: withDefault(100, number('rows', { from: 1, isWhole: true })),
  maxBytes: withDefault(1_000_000, number('bytes', { from: 1, isWhole: true })),
  timeout: withDefault(30_000, number('milliseconds', { from: 1, to: 2 ** 31 - 1, isWhole: true })),
}

/**
 * The tool `execute_sql`: one statement for the host's own database, which only reads unless the host allows more. It
 * is held by the database itself and not by what the text looks like, and ends at its deadline.
 * @throws {TypeError} an option does not have the shape named here; the connection is of another kind, or of a Node
 * whose `node:sqlite` cannot hold a statement to reading
 */
export function executeSqlTool(options: ExecuteSqlToolOptions): FunctionTool {
  checkOptions('executeSqlTool', EXECUTE_SQL_OPTIONS, options)
  const { connection, access = 'read', maxRows = 100, maxBytes = 1_000_000, timeout: timeoutMs = 30_000 } = options
  const database = isSqlite(connection) ? sqliteDatabase(connection, access) : postgresDatabase(connection, access)
  const reads = access === 'read'
  const does = reads ? 'reads from' : 'reads from, and changes rows in,'

  return defineTool({
    name: 'execute_sql',
    description: `Runs one ${database.dialect} statement that ${does} the database, and returns at most ${maxRows} rows.`,
    risk: reads ? 'safe' : 'risky',
    input: z.strictObject({
      sql: z.string().min(1).max(100_000).describe('One statement.'),
      params: z
        .array(z.union([z.string(), z.number(), z.boolean(), z.null()]))
        .max(1000)
        .default([])
        .describe(`Values for ${database.dialect === 'SQLite' ? '?' : '$1, $2'}.`),
      maxRows: z.int().min(1).max(maxRows).optional().describe('The most rows to return.'),
    }),
    run: ({ sql, params, maxRows: wanted = maxRows }, signal): Promise<SqlResult> =>
      database.run({ sql, params }, { maxRows: wanted, maxBytes, timeoutMs }, signal),
  })
}

function isSqlite(value: unknown): value is SqliteConnection {
  return hasMethods(value, 'prepare', 'enableLoadExtension')
}

function hasMethods(value: unknown, ...names: readonly string[]): boolean {
  return names.every((name) => typeof (Object(value) as Record<string, unknown>)[name] === 'function')
}
