import { ToolFailure } from '../result.ts'

/** What a model asks a database. */
export interface SqlRequest {
  readonly sql: string
  readonly params: readonly (string | number | boolean | null)[]
}

/** Limits of one statement. */
export interface SqlLimits {
  readonly maxRows: number
  /** Of all rows together, as JSON. */
  readonly maxBytes: number
  readonly timeoutMs: number
}

/** What `execute_sql` returns. */
export interface SqlResult {
  /** The names of the columns; empty where the statement returns no rows. */
  readonly columns: readonly string[]
  /** Values that JSON does not have are texts: dates in ISO 8601, large numbers in digits, bytes as base64. */
  readonly rows: readonly (readonly unknown[])[]
  /** Whether there are more rows than these. */
  readonly truncated: boolean
  /** How many rows a statement has changed itself, without those of triggers. Absent: it only reads. */
  readonly changes?: number
}

/** A database, ready to be asked. */
export interface SqlDatabase {
  /** For the model: `SQLite`, `PostgreSQL`. */
  readonly dialect: string
  /** @throws {ToolFailure} */
  run(request: SqlRequest, limits: SqlLimits, signal: AbortSignal | undefined): Promise<SqlResult>
}

/** Whether statements only read, or may also change rows. */
export type SqlAccess = 'read' | 'write'

export function timedOut(timeoutMs: number): ToolFailure {
  return new ToolFailure(
    'TIMED_OUT',
    `The database did not answer within ${timeoutMs} ms, and the statement was ended.`,
  )
}
