import { startDeadline } from '../deadline.ts'
import { ToolFailure } from '../result.ts'

/** What is used of a `Client` of `pg`. */
interface PostgresClient {
  query(config: PostgresQuery): Promise<PostgresResult>
  /** Null: it is not connected yet. */
  readonly processID?: number | null
  /** `I`: no transaction is open. */
  getTransactionStatus?(): string | null
  /** How the host reads values of a type. */
  getTypeParser?(type: number, format?: 'text' | 'binary'): (text: string) => unknown
  /** Of one of a pool. `true`: it is closed. */
  release?(destroy?: boolean): void
}

/** What is used of a `Pool` of `pg`. */
interface PostgresPool {
  connect(): Promise<PostgresClient>
  readonly totalCount: number
}

/** A connection of the host's: a `Pool` or a `Client` of `pg`. */
export type PostgresConnection = PostgresPool | PostgresClient

/** One statement. The extended protocol takes no second one beside it. */
interface PostgresQuery {
  readonly text: string
  readonly values?: readonly unknown[]
  readonly rowMode: 'array'
  readonly queryMode: 'extended'
  /** How values are read. */
  readonly types?: { getTypeParser(type: number, format?: 'text' | 'binary'): (text: string) => unknown }
}

/** What a statement returns. */
export interface PostgresResult {
  readonly rows: readonly (readonly unknown[])[]
  readonly fields: readonly { readonly name: string }[]
  readonly rowCount: number | null
}

/** Asks a client one statement. */
export type Ask = (text: string, values?: readonly unknown[]) => Promise<PostgresResult>

/** How long after the deadline the server may still say so itself. Then it is not waited for any longer. */
const GRACE_MS = 1000

/** Gives work a client for itself, and takes no longer than the deadline. */
type WithClient = <T>(timeoutMs: number, signal: AbortSignal | undefined, work: (ask: Ask) => Promise<T>) => Promise<T>

/**
 * Returns a function that gives work one client of the pool, or the client when earlier work has ended.
 * @throws {ToolFailure} TIMED_OUT; FAILED: a transaction of the host's is open
 */
export function clientOf(connection: PostgresConnection): WithClient {
  const isPool = 'totalCount' in connection
  const nextClient = isPool ? () => connection.connect() : inTurns(connection)

  return async (timeoutMs, signal, work) => {
    const deadline = startDeadline(timeoutMs + GRACE_MS, signal)
    const connected = nextClient()
    const client = await until(connected, deadline.signal, timeoutMs).catch((error: unknown) => {
      deadline.stop()
      // One that comes after all goes back.
      void connected.then((late) => late.release?.()).catch(() => {})
      throw error
    })
    const done = work((text, values) => ask(client, text, values))
    try {
      return await until(done, deadline.signal, timeoutMs)
    } finally {
      deadline.stop()
      // What still runs on a connection of the pool is nobody else's: that one is closed. The only one there is, is
      // free when it is done.
      if (isPool) client.release?.(deadline.signal.aborted)
      void done.catch(() => {}).then(() => isPool || client.release?.())
    }
  }
}

/** Returns a function that gives one client to one after the other. */
function inTurns(client: PostgresClient): () => Promise<PostgresClient> {
  let earlier: Promise<void> = Promise.resolve()
  return async () => {
    const before = earlier
    const turn = Promise.withResolvers<void>()
    earlier = turn.promise
    await before
    try {
      if (client.processID === null) {
        throw new ToolFailure(
          'FAILED',
          'The client of the host is not connected. The host would have to call connect().',
        )
      }
      // Before its first statement a client knows of no transaction, and of none that is open either.
      await ask(client, 'select 1')
      if (client.getTransactionStatus?.() !== 'I') {
        throw new ToolFailure(
          'FAILED',
          'The host has a transaction open on its connection. It would have to pass a pool.',
        )
      }
    } catch (error) {
      turn.resolve()
      throw error
    }
    return {
      query: (query) => client.query(query),
      ...(client.getTypeParser && { getTypeParser: client.getTypeParser.bind(client) }),
      release: () => turn.resolve(),
    }
  }
}

function ask(client: PostgresClient, text: string, values?: readonly unknown[]): Promise<PostgresResult> {
  const types = client.getTypeParser && { getTypeParser: typesOf(client.getTypeParser.bind(client)) }
  return client.query({
    text,
    values,
    rowMode: 'array',
    queryMode: 'extended',
    types,
  })
}

/** @throws {ToolFailure} TIMED_OUT */
async function until<T>(promise: Promise<T>, deadline: AbortSignal, timeoutMs: number): Promise<T> {
  const over = Promise.withResolvers<never>()
  const end = (): void =>
    over.reject(new ToolFailure('TIMED_OUT', `The database did not answer within ${timeoutMs} ms.`))
  deadline.addEventListener('abort', end, { once: true })
  if (deadline.aborted) end()
  try {
    return await Promise.race([promise, over.promise])
  } finally {
    deadline.removeEventListener('abort', end)
    over.promise.catch(() => {})
  }
}

/** Reads a value of PostgreSQL from its text. */
type ReadValue = (text: string) => unknown

/**
 * How dates and times without a zone are read: as they are written. `pg` makes a moment of them, at this process's own
 * zone, and in JSON that is often the day before.
 */
const WITHOUT_ZONE: ReadonlyMap<number, ReadValue> = new Map<number, ReadValue>([
  [1082, isoOf],
  [1114, isoOf],
  [1182, listOf],
  [1115, listOf],
])

/** Returns how values are read: some as it is said here, all others as the host reads them. */
function typesOf(
  hosts: (type: number, format?: 'text' | 'binary') => ReadValue,
): (type: number, format?: 'text' | 'binary') => ReadValue {
  return (type, format) => (format === 'binary' ? undefined : WITHOUT_ZONE.get(type)) ?? hosts(type, format)
}

function isoOf(text: string): string {
  return text.replace(/^(\d{4,}-\d\d-\d\d) /, '$1T')
}

/** `{2026-01-02,NULL}`, and lists in lists. The bounds before it, `[2:3]=`, say nothing about the values. */
function listOf(text: string): unknown {
  const items = text
    .replace(/^[^{]*=/, '')
    .replace(/"[^"]*"|[^{},]+/g, (item) => (item === 'NULL' ? 'null' : JSON.stringify(isoOf(item.replaceAll('"', '')))))
  return JSON.parse(items.replaceAll('{', '[').replaceAll('}', ']'))
}
