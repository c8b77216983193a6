import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres'

/** A PostgreSQL that any number of processes may connect to. */
export interface Database {
  readonly url: string
  query<Row>(sql: string, values?: readonly unknown[]): Promise<readonly Row[]>
  close(): Promise<void>
}

/** Starts PostgreSQL, compiled to WebAssembly, on a free port of the loopback interface, with the tables of LangGraph. */
export async function openDatabase(): Promise<Database> {
  const postgres = await PGlite.create()
  keepRoundsApart(postgres)
  const server = new PGLiteSocketServer({ db: postgres, host: '127.0.0.1', port: 0, maxConnections: 100 })
  await server.start()
  const url = `postgres://postgres@${server.getServerConn()}/postgres`
  const saver = PostgresSaver.fromConnString(url)
  await saver.setup()
  await saver.end()
  return {
    url,
    query: async <Row>(sql: string, values: readonly unknown[] = []) =>
      (await postgres.query<Row>(sql, [...values])).rows,
    async close() {
      await server.stop()
      await postgres.close()
    },
  }
}

/**
 * The server gives all connections one session of PostgreSQL, and lets one connection go on alone only while a
 * transaction is open. A statement is several messages, though, which those of another connection must not come between
 * (https://github.com/electric-sql/pglite/issues/1046): so a statement that is not complete counts as a transaction.
 */
function keepRoundsApart(postgres: PGlite): void {
  let isIncomplete = false
  const execute = postgres.execProtocolRawStream.bind(postgres)
  const isInTransaction = postgres.isInTransaction.bind(postgres)
  postgres.execProtocolRawStream = (message, options) => {
    // Parse, Bind, Describe, Execute, Close and Flush; what ends a round is Sync.
    isIncomplete = 'PBDECH'.includes(String.fromCharCode(message[0] ?? 0))
    return execute(message, options)
  }
  postgres.isInTransaction = () => isIncomplete || isInTransaction()
}
