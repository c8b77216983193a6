import { randomUUID } from 'node:crypto'
import { storeContract } from '@repertoire/library/testing'
import { startPostgres, type PostgresServer } from '@repertoire/test-servers'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { openSkillStores, postgresEngine, type SkillStores } from '../src/index.ts'

let server: PostgresServer
let pool: Pool
beforeAll(async () => {
  server = await startPostgres()
  pool = new Pool({ ...server.options('postgres'), max: 10 })
  // The server may end before the pool's connections have.
  pool.on('error', () => {})
})
afterAll(async () => {
  await pool.end()
  await server.close()
})

storeContract(
  {
    name: 'PostgreSQL',
    prepare() {
      const tenant = randomUUID()
      const opened: SkillStores[] = []
      return {
        async open() {
          const stores = await openSkillStores({ engine: postgresEngine({ pool }), layer: 'personal' })
          opened.push(stores)
          return stores.tenant(tenant)
        },
        remove: async () => void (await Promise.all(opened.map((stores) => stores.close()))),
      }
    },
  },
  { describe, it },
)
