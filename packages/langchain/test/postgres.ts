import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres'
import { startPostgres } from '@repertoire/test-servers'
import { Client, type QueryResultRow } from 'pg'

/** A PostgreSQL that any number of processes may connect to. */
export interface Database {
  readonly url: string
  query<Row extends QueryResultRow>(sql: string, values?: readonly unknown[]): Promise<readonly Row[]>
  close(): Promise<void>
}

/** Starts a server with the tables of LangGraph. */
export async function openDatabase(): Promise<Database> {
  const server = await startPostgres()
  const { host, user, database } = server.options('postgres')
  const url = `postgresql://${user}@${encodeURIComponent(host)}/${database}`
  const saver = PostgresSaver.fromConnString(url)
  await saver.setup()
  await saver.end()
  // Not a pool: it may end before its connections do, and the server breaks off those that it finds.
  const client = new Client({ connectionString: url })
  await client.connect()
  return {
    url,
    query: async <Row extends QueryResultRow>(sql: string, values: readonly unknown[] = []) =>
      (await client.query<Row>(sql, [...values])).rows,
    async close() {
      await client.end()
      await server.close()
    },
  }
}
