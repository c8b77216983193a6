import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { ToolFailure } from '../result.ts'
import type { SqliteAnswer, SqliteJob } from './sqlite-process.ts'
import { type SqlAccess, type SqlDatabase, timedOut } from './statement.ts'

/** What is used of a connection of `node:sqlite`, a `DatabaseSync`. */
export interface SqliteConnection {
  readonly isOpen?: boolean
  location?(): string | null
  setAuthorizer?(check: unknown): void
}

/** How much longer the answer may be than the rows in it: names of columns, and the JSON around them. */
const ENVELOPE_CHARS = 1_000_000

/**
 * Asks the database that a connection of the host has open. Each statement runs in its own process over the same
 * file, which it opens for itself: what the host has not committed is not seen.
 * @throws {TypeError} this Node cannot hold a statement to reading; the database is in memory
 */
export function sqliteDatabase(connection: SqliteConnection, access: SqlAccess): SqlDatabase {
  if (typeof connection.setAuthorizer !== 'function') {
    throw new TypeError(
      `executeSqlTool: node:sqlite of Node ${process.versions.node} cannot hold a statement to what is allowed. Use Node 24.21 or later.`,
    )
  }
  const file = connection.isOpen === false ? undefined : connection.location?.()
  if (!file) throw new TypeError('executeSqlTool: `connection` is closed or in memory. Open a database in a file.')
  return {
    dialect: 'SQLite',
    async run(request, limits, signal) {
      const answer = await answerOf({ ...request, ...limits, file, access }, signal)
      if ('result' in answer) return answer.result
      throw new ToolFailure(answer.code, answer.message)
    },
  }
}

/** @throws {ToolFailure} TIMED_OUT, FAILED @throws the signal's reason */
async function answerOf(job: SqliteJob, signal: AbortSignal | undefined): Promise<SqliteAnswer> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const program = fileURLToPath(new URL(`sqlite-process.${extension}`, import.meta.url))
  const end = await execa(process.execPath, ['--max-old-space-size=512', program], {
    input: JSON.stringify(job),
    stderr: 'ignore',
    env: {},
    extendEnv: false,
    maxBuffer: job.maxBytes + ENVELOPE_CHARS,
    timeout: job.timeoutMs,
    killSignal: 'SIGKILL',
    ...(signal && { cancelSignal: signal }),
    reject: false,
  })
  signal?.throwIfAborted()
  if (end.timedOut) throw timedOut(job.timeoutMs)
  try {
    return JSON.parse(end.stdout) as SqliteAnswer
  } catch (error) {
    throw new ToolFailure('FAILED', 'The statement ended without an answer: it may need more memory than it may use.', {
      cause: error,
    })
  }
}
