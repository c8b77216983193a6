import { randomUUID } from 'node:crypto'
import { storeContract } from '@repertoire/library/testing'
import { startPostgres, type PostgresServer } from '@repertoire/test-servers'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSkillStores, postgresEngine, type SkillStores } from '../src/index.ts'
import { engineSuite } from './engine-suite.ts'

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

engineSuite('PostgreSQL', {
  engine: (schema) => postgresEngine({ pool, schema }),
  async age(schema) {
    await pool.query(`update ${schema}.blobs set touched = now() - interval '2 days'`)
    await pool.query(`update ${schema}.heads set changed = now() - interval '2 days'`)
  },
  async damage(schema, hash, bytes) {
    await (bytes === undefined
      ? pool.query(`delete from ${schema}.blobs where hash = $1`, [hash])
      : pool.query(`update ${schema}.blobs set bytes = $2 where hash = $1`, [hash, bytes]))
  },
  stop: () => server.stop(),
  start: () => server.start(),
  async duringSweep(schema, sweep, run) {
    // Both wait for the rows, and go on at the same time.
    const holder = await pool.connect()
    await holder.query('begin')
    const { rowCount } = await holder.query(`select from ${schema}.blobs for update`)
    expect(rowCount).toBeGreaterThan(0)
    const both = Promise.all([sweep(postgresEngine({ pool, schema })), run()])
    await waitingFor(pool, 2)
    await holder.query('rollback')
    holder.release()
    await both
  },
})

/** Waits until as many statements wait for a lock. */
async function waitingFor(on: Pool, number: number): Promise<void> {
  const text = `select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock'`
  while ((await on.query<{ n: number }>(text)).rows[0]!.n < number)
    await new Promise((resolve) => setImmediate(resolve))
}

it('[LIB-8] many machines that start at once make the tables once', async () => {
  const schema = 'many'
  const opened = await Promise.all(
    Array.from({ length: 5 }, () => openSkillStores({ engine: postgresEngine({ pool, schema }), layer: 'personal' })),
  )
  await Promise.all(opened.map((stores) => stores.close()))
  const { rows } = await pool.query(`select obj_description('many.heads'::regclass) as shape`)
  expect(rows).toEqual([{ shape: 'repertoire 1' }])
})

it('[LIB-8] tables of a later version are left alone; a role without rights is told which; a schema is a plain name', async () => {
  await pool.query(
    `create schema later; create table later.heads (a int); comment on table later.heads is 'repertoire 2'`,
  )
  const opened = openSkillStores({ engine: postgresEngine({ pool, schema: 'later' }), layer: 'personal' })
  await expect(opened).rejects.toMatchObject({
    code: 'STORAGE_UNSUITABLE',
    message: expect.stringContaining('repertoire 2'),
  })
  await pool.query('create role visitor login')
  const visitor = new Pool({ ...server.options('visitor'), max: 1 })
  const refused = openSkillStores({ engine: postgresEngine({ pool: visitor, schema: 'many' }), layer: 'personal' })
  await expect(refused).rejects.toMatchObject({
    code: 'STORAGE_UNAVAILABLE',
    message: expect.stringContaining('Grant the role'),
  })
  await visitor.end()
  for (const schema of ['a"; drop schema public; --', 'A', '', '1a', 'a'.repeat(41)]) {
    expect(() => postgresEngine({ pool, schema })).toThrow(TypeError)
  }
})

it('[LIB-8] a large skill goes in parts before its head', async () => {
  const stores = await openSkillStores({ engine: postgresEngine({ pool, schema: 'many' }), layer: 'personal' })
  const store = stores.tenant('acme')
  await store.save({
    manifest: { name: 'pdf', description: 'x' },
    definition: { type: 'instruction', content: 'A.\n' },
  })
  const bytes = Buffer.alloc(2 * 1024 * 1024, 'large')
  await store.saveResource('pdf', 'a.bin', bytes)
  const { folder } = await store.get('pdf')
  expect(Buffer.compare(Buffer.from(await folder.read('a.bin')), bytes)).toBe(0)
  await expect(folder.read('a.bin', { maxBytes: 10 })).rejects.toMatchObject({ code: 'RESOURCE_TOO_LARGE' })
  await stores.close()
})
