import { startPostgres } from '@repertoire/test-servers'
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres'
import { Pool, type QueryResultRow } from 'pg'

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
  const pool = new Pool({ connectionString: url, max: 1 })
  return {
    url,
    query: async <Row extends QueryResultRow>(sql: string, values: readonly unknown[] = []) =>
      (await pool.query<Row>(sql, [...values])).rows,
    async close() {
      await pool.end()
      await server.close()
    },
  }
}
