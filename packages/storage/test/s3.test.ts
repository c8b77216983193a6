import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { S3 } from '@aws-sdk/client-s3'
import { storeContract } from '@repertoire/library/testing'
import { s3Options, startS3, type S3Server } from '@repertoire/test-servers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSkillStores, s3Engine, type S3Client } from '../src/index.ts'
import { callsSuite } from './calls-suite.ts'
import type { EngineSubject } from './engine-subject.ts'
import { engineSuite } from './engine-suite.ts'

const layer = 'personal'
let server: S3Server
let client: S3
let number = 0
beforeAll(async () => {
  server = await startS3({ pageSize: 5 })
  client = new S3(s3Options(server.endpoint))
})
afterAll(async () => {
  client.destroy()
  await server.close()
})

const engineFor = (prefix: string, own: S3Client = client) => s3Engine({ client: own, bucket: 'bucket', prefix })

storeContract(
  {
    name: 'S3, over a server of our own',
    prepare() {
      const prefix = `skills/${number++}`
      return {
        async open() {
          return (await openSkillStores({ engine: engineFor(prefix), layer })).tenant('acme')
        },
      }
    },
  },
  { describe, it },
)

const subject: EngineSubject = {
  engine: (prefix) => engineFor(prefix),
  age(prefix) {
    for (const [key, object] of server.objects) if (key.startsWith(`${prefix}/`)) object.modified -= 48 * 3_600_000
    return Promise.resolve()
  },
  damage(prefix, hash, bytes) {
    const key = `${prefix}/files/${hash}`
    const stored = server.objects.get(key)!
    if (bytes === undefined) server.objects.delete(key)
    else server.objects.set(key, { ...stored, bytes: Buffer.concat([stored.bytes.subarray(0, 16), bytes]) })
    return Promise.resolve()
  },
  roundTrips: (space) => server.requests(`${space}/`),
  stop: () => server.stop(),
  start: () => server.start(),
  async duringSweep(prefix, sweep, run) {
    let times = 0
    const observed: S3Client = {
      getObject: (...given) => client.getObject(...given),
      listObjectsV2: (...given) => client.listObjectsV2(...given),
      async putObject(object, limits) {
        if (object.IfMatch !== undefined && object.Key.includes('/files/') && times++ === 0) await run()
        return client.putObject(object, limits)
      },
    }
    await sweep(engineFor(prefix, observed))
    expect(times).toBeGreaterThan(0)
  },
}

engineSuite('S3, over a server of our own', subject)
// One file is one request more; a scan reads the record, a pack of 33 manifests or more, and each of the others.
callsSuite('S3, over a server of our own', subject, {
  firstSave: 3,
  nextSave: 2,
  firstScan: (skills) => 2 + (skills % 33),
  // Those that the scan has read alone are in the memory; 16 at a time ask for the record first.
  firstSearch: (skills) => skills - (skills % 33) + Math.ceil(skills / 16),
})

const content = {
  manifest: { name: 'pdf', description: 'x' },
  definition: { type: 'instruction', content: 'A.\n' },
} as const

describe('an engine on S3', () => {
  it('[LIB-8] takes its own write for its own, where the client has repeated it after a lost answer', async () => {
    const store = (await openSkillStores({ engine: engineFor('lost'), layer })).tenant('acme')
    const first = await store.save(content, { ifRevision: null })
    const requests = server.requests('lost/')
    server.loseNextAnswer()
    await store.saveResource('pdf', 'a.md', 'A.\n', { ifRevision: first.revision })
    // The file twice, and the record.
    expect(server.requests('lost/') - requests).toBe(3)
    await store.delete('pdf')
    const again = await store.save(content, { ifRevision: null })
    server.loseNextAnswer()
    // Its file is kept already, so that the answer about the record is lost.
    await store.delete('pdf', { ifRevision: again.revision })
    await expect(store.get('pdf')).rejects.toMatchObject({ code: 'SKILL_NOT_FOUND' })
    // The control: another writer came before.
    await expect(store.delete('pdf', { ifRevision: again.revision })).rejects.toMatchObject({ code: 'STORE_CONFLICT' })
  })

  it('[LIB-8] empties swept files, and they come back when they are saved', async () => {
    const stores = await openSkillStores({ engine: engineFor('emptied'), layer })
    const store = stores.tenant('acme')
    await store.save(content)
    await store.delete('pdf')
    await subject.age('emptied')
    expect(await stores.sweep()).toEqual({ files: 1 })
    const files = [...server.objects].filter(([key]) => /^emptied\/files\/[0-9a-f]{64}$/.test(key))
    expect(files.map(([, { bytes }]) => bytes.length)).toEqual([0])
    expect(await stores.sweep()).toEqual({ files: 0 })
    await store.save(content)
    const again = await openSkillStores({ engine: engineFor('emptied'), layer })
    expect((await again.tenant('acme').get('pdf')).body).toBe('A.\n')
  })

  it('[LIB-8] removes nothing where a page of a proxy stands for the list of records', async () => {
    const stores = await openSkillStores({ engine: engineFor('proxy'), layer })
    await stores.tenant('acme').save(content)
    await subject.age('proxy')
    const proxied: S3Client = {
      getObject: (...given) => client.getObject(...given),
      putObject: (...given) => client.putObject(...given),
      listObjectsV2: async (query, limits) =>
        query.Prefix.endsWith('/records/') ? {} : client.listObjectsV2(query, limits),
    }
    const sweeping = engineFor('proxy', proxied).sweep(3_600_000)
    await expect(sweeping).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
      message: expect.stringContaining('does not list "proxy/records/" of the bucket "bucket"'),
    })
    expect((await stores.tenant('acme').get('pdf')).body).toBe('A.\n')
  })
})

describe('a server that is called compatible', () => {
  it('[LIB-8] is refused when it accepts stale writes, by the name of the fault', async () => {
    const stale = await startS3({ ignoresConditions: true })
    const own = new S3(s3Options(stale.endpoint))
    try {
      await expect(openSkillStores({ engine: engineFor('stale', own), layer })).rejects.toMatchObject({
        code: 'STORAGE_UNSUITABLE',
        message: expect.stringContaining('although something is'),
      })
    } finally {
      own.destroy()
      await stale.close()
    }
  })

  it.each([
    ['other', 'bucket', 'Give the client credentials that the server knows'],
    ['test', 'elsewhere', 'Make the bucket'],
  ])('[LIB-8] says what to do when it refuses: %s, %s', async (accessKeyId, bucket, remedy) => {
    const own = new S3({ ...s3Options(server.endpoint), credentials: { accessKeyId, secretAccessKey: 'secret' } })
    await expect(openSkillStores({ engine: s3Engine({ client: own, bucket }), layer })).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
      message: expect.stringContaining(remedy),
    })
    own.destroy()
  })

  it.each([
    [200, '<html>Hello</html>', 'STORAGE_UNSUITABLE', /reads nothing right after a write/],
    [301, '', 'STORAGE_UNAVAILABLE', /right region and endpoint/],
    [501, '<Error><Code>NotImplemented</Code></Error>', 'STORAGE_UNSUITABLE', /conditional writes/],
    [503, '<Error><Code>SlowDown</Code></Error>', 'STORAGE_UNAVAILABLE', /503, SlowDown/],
  ])('[LIB-8] is not taken for one that stores: status %i', async (status, body, code, message) => {
    const other = createServer((_, response) => void response.writeHead(status).end(body))
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    const own = new S3({ ...s3Options(`http://127.0.0.1:${port}`), maxAttempts: 1 })
    const opened = openSkillStores({ engine: engineFor('other', own), layer, timeout: 2_000 })
    await expect(opened).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
    own.destroy()
    other.closeAllConnections()
    await new Promise((resolve) => other.close(resolve))
  })
})
