import { spawn } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { ToolFailure } from '../result.ts'
import type { SqliteAnswer, SqliteJob } from './sqlite-statement.ts'
import type { SqlAccess, SqlDatabase, SqlResult } from './statement.ts'

/** What is used of a connection of `node:sqlite`, a `DatabaseSync`. */
export interface SqliteConnection {
  readonly isOpen?: boolean
  location?(): string | null
  serialize?(): Uint8Array
  setAuthorizer?(check: unknown): void
}

/** What a database in memory may hold, since all of it is copied for each statement. */
const MAX_SNAPSHOT_BYTES = 64 * 1024 * 1024

/** How much larger an answer is as JSON than its values. */
const ENVELOPE = 8

/**
 * Asks the database that a connection of the host has open. Each statement runs in a process of its own over the same
 * file, which it opens for itself: what the host has not committed is not seen.
 * @throws {TypeError} this Node cannot hold a statement to reading; the database is in memory and to be written to
 */
export function sqliteDatabase(connection: SqliteConnection, access: SqlAccess): SqlDatabase {
  if (typeof connection.setAuthorizer !== 'function' || typeof connection.serialize !== 'function') {
    throw new TypeError(
      `executeSqlTool: node:sqlite of Node ${process.versions.node} cannot hold a statement to what is allowed. Use Node 24.21 or later.`,
    )
  }
  if (access === 'write' && locationOf(connection) === undefined) {
    throw new TypeError('executeSqlTool: a database in memory can be read, and not be written to. Use one in a file.')
  }
  return {
    dialect: 'SQLite',
    async run(request, limits, signal) {
      const file = locationOf(connection)
      const job: SqliteJob = {
        ...request,
        ...limits,
        access,
        ...(file === undefined ? snapshotOf(connection) : { file }),
      }
      return resultOf(await answerOf(job, signal))
    },
  }
}

/** The file of a database; undefined: it is in memory. */
function locationOf(connection: SqliteConnection): string | undefined {
  if (connection.isOpen === false) throw new ToolFailure('FAILED', 'The host has closed the database.')
  return connection.location?.() || undefined
}

function snapshotOf(connection: SqliteConnection): Pick<SqliteJob, 'snapshot'> {
  const bytes = connection.serialize!()
  if (bytes.length > MAX_SNAPSHOT_BYTES) {
    throw new ToolFailure(
      'TOO_LARGE',
      `The database is in memory, and holds more than ${MAX_SNAPSHOT_BYTES} bytes. It would have to be in a file.`,
    )
  }
  return { snapshot: Buffer.from(bytes).toString('base64') }
}

/** @throws {ToolFailure} TIMED_OUT, FAILED @throws the signal's reason */
async function answerOf(job: SqliteJob, signal: AbortSignal | undefined): Promise<SqliteAnswer> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const program = fileURLToPath(new URL(`sqlite-process.${extension}`, import.meta.url))
  const child = spawn(process.execPath, ['--max-old-space-size=512', program], {
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const chunks: Buffer[] = []
  let left = job.maxBytes * ENVELOPE + 65_536
  let isTimedOut = false
  const end = (): void => void child.kill('SIGKILL')
  const timer = setTimeout(() => {
    isTimedOut = true
    end()
  }, job.timeoutMs)
  signal?.addEventListener('abort', end, { once: true })
  if (signal?.aborted === true) end()
  process.once('exit', end)
  child.stdout.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) end()
    else chunks.push(chunk)
  })
  // If a process ends before it has read everything, its exit is reported.
  child.stdin.on('error', () => {})
  child.stdin.end(JSON.stringify(job))
  try {
    await new Promise((resolve, reject) => {
      child.once('close', resolve)
      child.once('error', reject)
    })
  } catch (error) {
    throw new ToolFailure('FAILED', 'The process for the statement could not be started.', { cause: error })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
    process.off('exit', end)
  }
  signal?.throwIfAborted()
  if (isTimedOut) throw timedOut(job.timeoutMs)
  try {
    return JSON.parse(Buffer.concat(chunks).toString()) as SqliteAnswer
  } catch (error) {
    throw new ToolFailure('FAILED', 'The statement ended without an answer: it may need more memory than it may use.', {
      cause: error,
    })
  }
}

/** @throws {ToolFailure} */
function resultOf(answer: SqliteAnswer): SqlResult {
  if (answer.ok) return answer.result
  const { kind, message } = answer
  if (kind === 'several') throw new ToolFailure('NOT_ALLOWED', 'There is more than one statement. Pass one at a time.')
  if (kind === 'parameters') throw new ToolFailure('INPUT_INVALID', `The statement was not run: ${message}.`)
  if (kind === 'refused')
    throw new ToolFailure('NOT_ALLOWED', `The statement does what is not allowed here: ${message}.`)
  if (kind === 'too-large')
    throw new ToolFailure('TOO_LARGE', 'A value is too large. Ask for a part of it, as with substr().')
  throw new ToolFailure('FAILED', `SQLite: ${message.replace(/\.$/, '')}.`)
}

export function timedOut(timeoutMs: number): ToolFailure {
  return new ToolFailure('TIMED_OUT', `The statement took more than ${timeoutMs} ms, and was ended.`)
}
