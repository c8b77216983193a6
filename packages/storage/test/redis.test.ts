import { randomUUID } from 'node:crypto'
import { storeContract } from '@repertoire/library/testing'
import { findRedis, startRedis, type RedisServer } from '@repertoire/test-servers'
import { createClient } from 'redis'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { openSkillStores, redisEngine, type SkillStores } from '../src/index.ts'

describe.skipIf(findRedis() === undefined)('Redis, by the program redis-server of the system', () => {
  let server: RedisServer
  let client: ReturnType<typeof clientOf>
  const clientOf = () => createClient({ socket: { path: server.path, tls: false } })
  beforeAll(async () => {
    server = await startRedis()
    client = clientOf()
    client.on('error', () => {})
    await client.connect()
  })
  afterAll(async () => {
    client.destroy()
    await server.close()
  })

  storeContract(
    {
      name: 'Redis',
      prepare() {
        const prefix = randomUUID()
        const opened: SkillStores[] = []
        return {
          async open() {
            const stores = await openSkillStores({ engine: redisEngine({ client, prefix }), layer: 'personal' })
            opened.push(stores)
            return stores.tenant('acme')
          },
          remove: async () => void (await Promise.all(opened.map((stores) => stores.close()))),
        }
      },
    },
    { describe, it },
  )
})
