import { randomUUID } from 'node:crypto'
import { storeContract } from '@repertoire/library/testing'
import { startPostgres, type PostgresServer } from '@repertoire/test-servers'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSessions, openSkillStores, postgresEngine } from '../src/index.ts'
import { callsSuite } from './calls-suite.ts'
import type { EngineSubject } from './engine-subject.ts'
import { engineSuite } from './engine-suite.ts'
import { behind, locksSuite } from './locks-suite.ts'

let server: PostgresServer
let pool: Pool
let trips = 0
beforeAll(async () => {
  server = await startPostgres()
  pool = new Pool({ ...server.options('postgres'), max: 10 })
  const query = pool.query.bind(pool) as (...args: unknown[]) => unknown
  pool.query = ((...args: unknown[]) => {
    trips++
    return query(...args)
  }) as typeof pool.query
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
      return {
        open: async () =>
          (await openSkillStores({ engine: postgresEngine({ pool }), layer: 'personal' })).tenant(tenant),
      }
    },
  },
  { describe, it },
)

const subject: EngineSubject = {
  engine: (schema) => postgresEngine({ pool, schema }),
  async age(schema) {
    await pool.query(`update ${schema}.files set touched = now() - interval '2 days'`)
  },
  async damage(schema, hash, bytes) {
    await (bytes === undefined
      ? pool.query(`delete from ${schema}.files where hash = $1`, [hash])
      : pool.query(`update ${schema}.files set bytes = $2 where hash = $1`, [hash, bytes]))
  },
  roundTrips: () => trips,
  stop: () => server.stop(),
  start: () => server.start(),
  async duringSweep(schema, sweep, run) {
    await behind(pool, `select from ${schema}.files for update`, [() => sweep(postgresEngine({ pool, schema })), run])
  },
}

engineSuite('PostgreSQL', subject)
callsSuite('PostgreSQL', subject, {
  firstSave: 2,
  nextSave: 1,
  firstScan: () => 2,
  firstSearch: (skills) => Math.ceil(skills / 16),
})

locksSuite(() => pool)

it('[LIB-8] many machines that start at once make the tables once', async () => {
  const schema = 'many'
  const machines = Array.from({ length: 5 }, async (_, number) => {
    if (number % 2 === 1) await openSessions({ engine: postgresEngine({ pool, schema }) })
    return openSkillStores({ engine: postgresEngine({ pool, schema }), layer: 'personal' })
  })
  await Promise.all(machines)
  const { rows } = await pool.query(`select obj_description('many.records'::regclass) as shape`)
  expect(rows).toEqual([{ shape: 'repertoire 1' }])
})

it('[LIB-8] tables of a later version are left alone; a role without rights is told which; a schema is a plain name', async () => {
  await pool.query(
    `create schema later; create table later.records (a int); comment on table later.records is 'repertoire 2'`,
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
    expect(() => postgresEngine({ pool, schema })).toThrow('Give a name of lowercase letters, digits and "_"')
  }
})
