import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, constants, mkdtempSync, openSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { memorySessions, type SessionLease, type SessionStore } from '@repertoire/core'
import { openFileSessions, openSessions, postgresEngine, type RedisClient, redisEngine } from '@repertoire/storage'
import { sessionStoreContract, type SessionStorePlace } from '@repertoire/storage/testing'
import { isMissing, type PostgresServer, type RedisServer, startPostgres, startRedis } from '@repertoire/test-servers'
import { Pool } from 'pg'
import { createClient, RESP_TYPES, type RedisClientType } from 'redis'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { keepsToModel } from './interleavings.ts'

/** A folder with a file of sessions. */
function filePlace(): SessionStorePlace {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'repertoire-sessions-')))
  const opened: { close(): void }[] = []
  return {
    async open(tenant) {
      const store = await openFileSessions({ path: join(folder, 'sessions.sqlite'), tenant })
      opened.push(store)
      return store
    },
    async remove() {
      for (const store of opened) store.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Stores in the memory, one for each tenant. */
function memoryPlace(): SessionStorePlace {
  const stores = new Map<string, SessionStore>()
  return {
    open(tenant) {
      const store = stores.get(tenant) ?? memorySessions({ tenant })
      stores.set(tenant, store)
      return store
    },
  }
}

sessionStoreContract({ name: 'memory', prepare: memoryPlace }, { describe, it })
sessionStoreContract({ name: 'file', prepare: filePlace }, { describe, it })

it('[LIB-11] memory: keeps to a model of two machines, however they come between each other and time passes', () =>
  keepsToModel(1_000, (now) => memorySessions({ now })))

it('[LIB-11] file: keeps to a model of two machines, however they come between each other', async () => {
  const place = filePlace()
  await keepsToModel(20, () => place.open(randomUUID()))
  await place.remove?.()
})

it.skipIf(process.platform === 'win32')(
  '[LIB-11] file: refuses a pipe or a folder in its place, and waits for nobody',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sessions-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    const refused = { code: 'FOLDER_NOT_WRITABLE' }
    await expect(openFileSessions({ path: pipe })).rejects.toMatchObject(refused)
    // As a reader has opened it, it could be written to.
    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
    await expect(openFileSessions({ path: pipe })).rejects.toMatchObject(refused)
    closeSync(reader)
    await expect(openFileSessions({ path: folder })).rejects.toMatchObject(refused)
  },
)

// The package of the system, and not of npm: see CONTRIBUTING.md.
describe.skipIf(isMissing('redis-server'))('Redis (needs redis-server)', () => {
  let server: RedisServer
  let client: RedisClientType
  const prefixes = () => {
    const prefix = randomUUID()
    return { open: (tenant: string) => openSessions({ engine: redisEngine({ client, prefix }), tenant }) }
  }

  beforeAll(async () => {
    server = await startRedis({ settings: { appendfsync: 'no' } })
    client = createClient({ socket: { path: server.path, tls: false } })
    client.on('error', () => {})
    await client.connect()
  })
  afterAll(async () => {
    client.destroy()
    await server.close()
  })

  sessionStoreContract({ name: 'Redis', prepare: prefixes }, { describe, it })

  it('[LIB-11] keeps to a model of two machines, however they come between each other', () =>
    keepsToModel(100, () => openSessions({ engine: redisEngine({ client }), tenant: randomUUID() })))

  it('[LIB-11] says that it cannot be used where Redis refuses, and takes no prefix that could end a key', async () => {
    const message = 'READONLY You cannot write against a read only replica.'
    const refusing: RedisClient = { isOpen: true, sendCommand: () => Promise.reject(new Error(message)) }
    const refused = { code: 'STORAGE_UNAVAILABLE' }
    await expect(openSessions({ engine: redisEngine({ client: refusing }) })).rejects.toMatchObject(refused)
    for (const prefix of ['', '{a}', 'a}', 'é'])
      expect(() => redisEngine({ client, prefix })).toThrow('redisEngine: `prefix` is ')
  })

  it('[LIB-11] where a failover loses the newest, whoever had a session open is refused, and no token is given out again', async () => {
    const store = await openSessions({ engine: redisEngine({ client, prefix: 'p' }), tenant: 'rolled back' })
    const bytes = client.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer })
    const { late, again } = await isRefusedAfterRollback(store, async (open) => {
      const old = new Map<string, Buffer>()
      for (const key of await client.keys('{p}:record:sessions/rolled_20back/*')) old.set(key, await bytes.dump(key))
      await open()
      for (const key of await client.keys('{p}:record:sessions/rolled_20back/*')) await client.del(key)
      for (const [key, value] of old) await bytes.restore(key, 0, value)
    })
    expect(again.token).toBeGreaterThan(late.token)
  })

  it('[LIB-11] refuses what somebody else has put in the place of a session', async () => {
    const store = await openSessions({ engine: redisEngine({ client, prefix: 'p' }), tenant: 'A b' })
    const lease = (await store.acquire('chat', { duration: 60_000 }))!
    await store.save(lease, 'mine', { ifVersion: 0, timeToLive: 60_000 })
    const [key = ''] = await client.keys('{p}:record:sessions/_41_20b/*')
    for (const text of ['mine', '"mine"', 'null', '{"token":1}']) {
      await client.hSet(key, 'text', text)
      await expect(store.load('chat')).rejects.toMatchObject({ code: 'STATE_INVALID' })
    }
  })
})

/** Who had a session open when the whole store was put back to an older time, and who opens it then. */
async function isRefusedAfterRollback(store: SessionStore, rollBack: (open: () => Promise<void>) => Promise<void>) {
  const lease = { duration: 60_000 }
  const times = { timeToLive: 600_000 }
  let held!: SessionLease
  let late!: SessionLease
  await store.save((held = (await store.acquire('held', lease))!), 'one', { ifVersion: 0, ...times })
  await rollBack(async () => {
    await store.save(held, 'two', { ifVersion: 1, ...times })
    await store.save((late = (await store.acquire('late', lease))!), 'one', { ifVersion: 0, ...times })
  })
  expect(await store.load('held')).toEqual({ version: 1, saved: 'one' })
  await expect(store.save(held, 'three', { ifVersion: 2, ...times })).rejects.toMatchObject({ code: 'STORE_CONFLICT' })
  await expect(store.save(late, 'two', { ifVersion: 1, ...times })).rejects.toMatchObject({ code: 'LEASE_LOST' })
  return { late, again: (await store.acquire('late', lease))! }
}

describe('PostgreSQL', () => {
  it('[LIB-11] where all of it is put back, whoever had a session open is refused', async () => {
    const space = schema()
    const store = await openSessions({ engine: postgresEngine({ pool, schema: space }) })
    await isRefusedAfterRollback(store, async (open) => {
      await pool.query(`CREATE TABLE ${space}.old AS TABLE ${space}.records`)
      await open()
      await pool.query(`DELETE FROM ${space}.records; INSERT INTO ${space}.records TABLE ${space}.old`)
    })
  })

  let server: PostgresServer
  let pool: Pool
  const schema = (): string => `s${randomUUID().replaceAll('-', '')}`

  beforeAll(async () => {
    server = await startPostgres()
    pool = new Pool({ ...server.options('postgres'), max: 8 })
  })
  afterAll(async () => {
    await pool.end()
    await server.close()
  })

  sessionStoreContract(
    {
      name: 'PostgreSQL',
      async prepare() {
        const name = schema()
        return { open: (tenant) => openSessions({ engine: postgresEngine({ pool, schema: name }), tenant }) }
      },
    },
    { describe, it },
  )

  it('[LIB-11] keeps to a model of two machines, however they come between each other', () =>
    keepsToModel(50, () => openSessions({ engine: postgresEngine({ pool }), tenant: randomUUID() })))

  it('[LIB-11] makes its tables once, whoever opens it at the same time', async () => {
    const name = schema()
    const stores = await Promise.all(
      Array.from({ length: 8 }, () => openSessions({ engine: postgresEngine({ pool, schema: name }) })),
    )
    const leases = await Promise.all(stores.map((store) => store.acquire('chat', { duration: 60_000 })))
    expect(leases.filter((lease) => lease !== undefined)).toHaveLength(1)
    await pool.query(`COMMENT ON TABLE ${name}.records IS 'repertoire 2'`)
    await expect(openSessions({ engine: postgresEngine({ pool, schema: name }) })).rejects.toMatchObject({
      code: 'STORAGE_UNSUITABLE',
    })
  })

  it('[LIB-11] is used by a role that may not make tables, if they are there', async () => {
    const name = schema()
    await openSessions({ engine: postgresEngine({ pool, schema: name }) })
    await pool.query(
      `CREATE ROLE app LOGIN; GRANT USAGE ON SCHEMA ${name} TO app; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${name} TO app`,
    )
    const own = new Pool({ ...server.options('app'), max: 1 })
    const store = await openSessions({ engine: postgresEngine({ pool: own, schema: name }) })
    const lease = (await store.acquire('chat', { duration: 60_000 }))!
    await store.save(lease, 'saved', { ifVersion: 0, timeToLive: 60_000 })
    await store.delete(lease)
    await expect(openSessions({ engine: postgresEngine({ pool: own, schema: schema() }) })).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
    })
    await own.end()
  })

  it('[LIB-11] sweeps what has outlived its time, and nothing else', async () => {
    const store = await openSessions({ engine: postgresEngine({ pool }), tenant: randomUUID() })
    for (const [id, timeToLive] of [
      ['short', 1],
      ['long', 60_000],
    ] as const) {
      const lease = (await store.acquire(id, { duration: 60_000 }))!
      await store.save(lease, id, { ifVersion: 0, timeToLive })
      await store.release(lease)
    }
    while ((await store.load('short')) !== undefined);
    await store.sweep()
    const kept = `SELECT text::json ->> 'saved' AS saved FROM repertoire.records WHERE key LIKE 'sessions/' || $1 || '/%'`
    expect((await pool.query(kept, [store.tenant])).rows).toHaveLength(2)
    await pool.query("UPDATE repertoire.records SET expires = expires - interval '61 minutes'")
    await store.sweep()
    expect((await pool.query(kept, [store.tenant])).rows).toEqual([])
  })

  it('[LIB-11] says that it cannot be used while the server is away, and goes on when it is back', async () => {
    const engine = postgresEngine({ pool })
    const store = await openSessions({ engine, tenant: 'restarted' })
    const lease = (await store.acquire('chat', { duration: 600_000 }))!
    await store.save(lease, 'before', { ifVersion: 0, timeToLive: 600_000 })
    await server.stop()
    await expect(store.load('chat')).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
    await expect(openSessions({ engine })).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
    await server.start()
    await store.save(lease, 'after', { ifVersion: 1, timeToLive: 600_000 })
    expect(await store.load('chat')).toEqual({ version: 2, saved: 'after' })
  })
})
