import { ToolFailure } from '../result.ts'

/** What a model asks a database. */
export interface SqlRequest {
  readonly sql: string
  readonly params: readonly (string | number | boolean | null)[]
}

/** Limits of one statement. */
export interface SqlLimits {
  readonly maxRows: number
  /** Of all values together. */
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
  /** How many rows a statement has changed. Absent: it only reads. */
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

/** @throws {ToolFailure} INPUT_INVALID: there are more or fewer parameters than the statement has places */
export function checkParameters(places: number, params: readonly unknown[]): void {
  if (params.length === places) return
  const message = `The statement has places for ${places} parameters, and ${params.length} were given. Nothing was run.`
  throw new ToolFailure('INPUT_INVALID', message)
}

/** A value as JSON has it. */
export function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') {
    return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : String(value)
  }
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  if (value instanceof Uint8Array)
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')
  if (Array.isArray(value)) return value.map(plainValue)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? String(value) : value.toISOString()
  return value
}
