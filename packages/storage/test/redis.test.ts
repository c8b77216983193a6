import { randomUUID } from 'node:crypto'
import { storeContract } from '@repertoire/library/testing'
import { isMissing, startRedis, type RedisServer } from '@repertoire/test-servers'
import { createClient } from 'redis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSkillStores, redisEngine, type RedisClient } from '../src/index.ts'
import { callsSuite } from './calls-suite.ts'
import type { EngineSubject } from './engine-subject.ts'
import { engineSuite } from './engine-suite.ts'

describe.skipIf(isMissing('redis-server'))('Redis (needs redis-server)', () => {
  let server: RedisServer
  let client: ReturnType<typeof clientOf>
  let trips = 0
  const clientOf = () => createClient({ socket: { path: server.path, tls: false } })
  beforeAll(async () => {
    server = await startRedis()
    client = clientOf()
    client.on('error', () => {})
    await client.connect()
    const send = client.sendCommand.bind(client)
    client.sendCommand = (args, options) => {
      trips++
      return send(args, options)
    }
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
        return {
          open: async () =>
            (await openSkillStores({ engine: redisEngine({ client, prefix }), layer: 'personal' })).tenant('acme'),
        }
      },
    },
    { describe, it },
  )

  const subject: EngineSubject = {
    engine: (prefix) => redisEngine({ client, prefix }),
    async age(prefix) {
      const key = `{${prefix}}:touched`
      for (const value of await client.zRange(key, 0, -1)) await client.zAdd(key, { score: 1, value })
    },
    async damage(prefix, hash, bytes) {
      await (bytes === undefined
        ? client.del(`{${prefix}}:file:${hash}`)
        : client.set(`{${prefix}}:file:${hash}`, bytes))
    },
    roundTrips: () => trips,
    stop: () => server.stop(),
    start: () => server.start(),
    async duringSweep(prefix, sweep, run) {
      let times = 0
      const observed: RedisClient = {
        isOpen: true,
        async sendCommand(args, options) {
          if (args[0] === 'EVALSHA' && times++ === 0) await run()
          return client.sendCommand([...args], options)
        },
      }
      await sweep(redisEngine({ client: observed, prefix }))
      expect(times).toBeGreaterThan(0)
    },
  }

  engineSuite('Redis', subject)
  callsSuite('Redis', subject, {
    firstSave: 3,
    nextSave: 2,
    firstScan: () => 2,
    firstSearch: (skills) => Math.ceil(skills / 16),
  })

  it('[LIB-8] is refused if it drops keys when its memory is full, and with a client that is not connected', async () => {
    await client.configSet({ maxmemory: '100mb', 'maxmemory-policy': 'allkeys-lru' })
    try {
      const opened = openSkillStores({ engine: redisEngine({ client }), layer: 'personal' })
      await expect(opened).rejects.toMatchObject({
        code: 'STORAGE_UNSUITABLE',
        message: expect.stringContaining('noeviction'),
      })
    } finally {
      await client.configSet({ maxmemory: '0', 'maxmemory-policy': 'noeviction' })
    }
    await expect(
      openSkillStores({ engine: redisEngine({ client: clientOf() }), layer: 'personal' }),
    ).rejects.toMatchObject({ message: expect.stringContaining('connect()') })
    expect(() => redisEngine({ client, prefix: 'a}b' })).toThrow('`prefix` is "a}b"')
  })

  it('[LIB-8] says what to do when its memory is full or a user may not write, and nothing is half written', async () => {
    const stores = await openSkillStores({ engine: redisEngine({ client, prefix: 'full' }), layer: 'personal' })
    const store = stores.tenant('acme')
    const content = {
      manifest: { name: 'pdf', description: 'x' },
      definition: { type: 'instruction', content: 'A.\n' },
    } as const
    const { revision } = await store.save(content)
    await client.configSet('maxmemory', '1mb')
    try {
      await expect(store.saveResource('pdf', 'a.md', 'a'.repeat(100_000))).rejects.toMatchObject({
        code: 'STORAGE_UNAVAILABLE',
        message: expect.stringContaining('memory is full'),
      })
    } finally {
      await client.configSet('maxmemory', '0')
    }
    expect((await store.get('pdf')).revision).toBe(revision)
    await client.aclSetUser('reader', ['on', 'nopass', '~*', '&*', '+@read', '+info', '+@connection', '+hello'])
    const reader = createClient({ socket: { path: server.path, tls: false }, username: 'reader', password: 'x' })
    reader.on('error', () => {})
    await reader.connect()
    await expect(openSkillStores({ engine: redisEngine({ client: reader }), layer: 'personal' })).rejects.toMatchObject(
      {
        code: 'STORAGE_UNAVAILABLE',
        message: expect.stringContaining('Give the client a user'),
      },
    )
    reader.destroy()
  })
})
