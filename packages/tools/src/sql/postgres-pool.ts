import { startDeadline } from '../deadline.ts'
import { timedOut } from './statement.ts'

/** What is used of a `Pool` of `pg`. */
export interface PostgresConnection {
  connect(): Promise<PostgresClient>
  readonly totalCount: number
}

interface PostgresClient {
  /** The extended protocol takes no second statement. Values are read as texts, whatever the host has set. */
  query(config: {
    readonly text: string
    readonly values?: readonly unknown[]
    readonly rowMode: 'array'
    readonly queryMode: 'extended'
    readonly types: { getTypeParser(): (text: string) => unknown }
  }): Promise<PostgresResult>
  /** `true`: it is closed. */
  release(destroy?: boolean): void
}

/** What a statement returns. */
export interface PostgresResult {
  readonly rows: readonly (readonly unknown[])[]
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[]
  readonly rowCount: number | null
}

/** Asks a client one statement. */
export type Ask = (text: string, values?: readonly unknown[]) => Promise<PostgresResult>

const AS_TEXT = { getTypeParser: () => (text: string) => text }

/** How long after the deadline the server may still answer that it has ended the statement. */
const GRACE_MS = 1000

/**
 * Gives work one client of the pool. A client that is still busy at the deadline is closed.
 * @throws {ToolFailure} TIMED_OUT
 */
export async function withClient<T extends object>(
  pool: PostgresConnection,
  timeoutMs: number,
  signal: AbortSignal | undefined,
  work: (ask: Ask) => Promise<T>,
): Promise<T> {
  const deadline = startDeadline(timeoutMs + GRACE_MS, signal)
  const answer = pool.connect().then(async (client) => {
    try {
      const ask: Ask = (text, values) =>
        client.query({ text, values, rowMode: 'array', queryMode: 'extended', types: AS_TEXT })
      return deadline.signal.aborted ? undefined : await deadline.within(work(ask))
    } finally {
      client.release(deadline.signal.aborted)
    }
  })
  try {
    const result = await deadline.within(answer)
    if (result === undefined) throw timedOut(timeoutMs)
    return result
  } finally {
    deadline.stop()
  }
}
