/* oxlint-disable typescript/unbound-method -- methods that work without their object are what is tested */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, expectTypeOf, it } from 'vitest'
import * as storage from '../src/index.ts'
import * as testing from '../src/testing.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'storage-options-'))
})
afterEach(() => rm(folder, { recursive: true }))

function unused(): never {
  throw new Error('It was called, although the options are wrong.')
}

const client = { isOpen: true, sendCommand: unused }
const pool = { query: unused, connect: unused, on: unused } as never
const s3 = { getObject: unused, putObject: unused, listObjectsV2: unused }

type Options = Readonly<Record<string, unknown>>

/** A call of every function that has options, with options that are valid apart from `more`. */
const calls: Readonly<Record<string, (more: Options) => unknown>> = {
  postgresEngine: (more) => storage.postgresEngine({ pool, ...more }),
  redisEngine: (more) => storage.redisEngine({ client, ...more }),
  s3Engine: (more) => storage.s3Engine({ client: s3, bucket: 'skills', ...more }),
  openFileSessions: (more) => storage.openFileSessions({ path: join(folder, 'sessions'), ...more }),
  openSessions: (more) => storage.openSessions({ engine: storage.redisEngine({ client }), ...more }),
  openSkillStores: (more) =>
    storage.openSkillStores({ engine: storage.redisEngine({ client }), layer: 'project', ...more }),
  sessionStoreContract: (more) =>
    testing.sessionStoreContract({ name: 'mine', prepare: unused, ...more }, { describe: unused, it: unused }),
}

async function messageOf(call: () => unknown): Promise<string> {
  try {
    await call()
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError)
    return (error as Error).message
  }
  throw new Error('It was accepted.')
}

it('[CFG-1] has a row for every exported function', () => {
  const exported = Object.entries({ ...storage, ...testing }).flatMap(([name, value]) =>
    typeof value === 'function' ? [name] : [],
  )
  // An error, and a function of a text.
  expect(exported.toSorted()).toEqual([...Object.keys(calls), 'ConnectionLostError', 'referencesIn'].toSorted())
})

it.each(Object.keys(calls))('[CFG-1, ABUSE-133] %s refuses an unknown option and starts nothing', async (name) => {
  const message = await messageOf(() => calls[name]!({ notAnOption: 1 }))
  expect(message).toContain(`${name}: unknown option \`notAnOption\`.`)
  expect(await readdir(folder)).toEqual([])
})

it.each<[string, Options, string]>([
  ['s3Engine', { bukcet: 'x' }, 'Did you mean `bucket`?'],
  ['s3Engine', { client: { ...s3, putObject: 1 } }, '`client` has no `putObject`. Give an `S3` of the package'],
  ['s3Engine', { prefix: 'a//b' }, '`prefix` is "a//b".'],
  ['s3Engine', { bucket: 1 }, '`bucket` is 1.'],
  ['postgresEngine', { shema: 'x' }, 'Did you mean `schema`?'],
  ['postgresEngine', { schema: 'a"b' }, '`schema` is'],
  ['postgresEngine', { pool: {} }, '`pool` has no `query`. Give a `Pool` of the package "pg".'],
  ['redisEngine', { prefx: 'x' }, 'Did you mean `prefix`?'],
  ['redisEngine', { prefix: '{a}' }, '`prefix` is "{a}".'],
  ['redisEngine', { client: {} }, '`client` has no `sendCommand`.'],
  ['openSessions', { tenent: 'a' }, 'Did you mean `tenant`?'],
  ['openSkillStores', { watchInterval: 5 }, '`watchInterval` is 5. Give a number of milliseconds, 10 or more'],
  ['openFileSessions', { tenent: 'a' }, 'Did you mean `tenant`?'],
  ['openFileSessions', { timeout: '5' }, '`timeout` is "5".'],
  ['openSkillStores', { maxTenant: 5 }, 'Did you mean `maxTenants`?'],
  ['openSkillStores', { maxTenants: 0 }, '`maxTenants` is 0.'],
  ['openSkillStores', { engine: {} }, '`engine` has no `open`.'],
])('[CFG-1, ABUSE-133] %s refuses %j', async (name, options, expected) => {
  expect(await messageOf(() => calls[name]!(options))).toContain(expected)
  expect(await readdir(folder)).toEqual([])
})

it('[CFG-1, ABUSE-133] a store of sessions refuses wrong options of its methods and can be destructured', async () => {
  const { acquire, renew, save, load, sweep, close } = await storage.openFileSessions({
    path: join(folder, 'sessions'),
  })
  expect(await messageOf(() => acquire('chat', { durtion: 5 } as never))).toBe(
    'acquire: unknown option `durtion`. Did you mean `duration`?',
  )
  const lease = (await acquire('chat', { duration: 60_000 }))!
  expect(await messageOf(() => renew(lease, {} as never))).toContain('renew: `duration` is missing.')
  expect(await messageOf(() => save(lease, 1, { ifVerson: 0, timeToLive: 60_000 } as never))).toBe(
    'save: unknown option `ifVerson`. Did you mean `ifVersion`?',
  )
  expect(await load('chat')).toBeUndefined()
  await save(lease, 1, { ifVersion: 0, timeToLive: 60_000 })
  expect(await load('chat')).toEqual({ version: 1, saved: 1 })
  await sweep()
  close()
})

it('[LIB-8] takes a pool whose rows may be anything', () => {
  expectTypeOf<Awaited<ReturnType<storage.PostgresPool['query']>>['rows']>().toEqualTypeOf<unknown[]>()
})
