import { storeContract } from '@repertoire/library/testing'
import { startS3, type S3Server } from '@repertoire/test-servers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSkillStores, s3Engine } from '../src/index.ts'
import { callsSuite } from './calls-suite.ts'
import type { EngineSubject } from './engine-subject.ts'
import { engineSuite } from './engine-suite.ts'

const credentials = { accessKeyId: 'test', secretAccessKey: 'secret' }
const layer = 'personal'
let server: S3Server
let number = 0
beforeAll(async () => {
  server = await startS3({ pageSize: 5 })
})
afterAll(() => server.close())

storeContract(
  {
    name: 'S3, over a server of our own',
    prepare() {
      const prefix = `skills/${number++}`
      return {
        async open() {
          const engine = s3Engine({ bucket: server.bucket, credentials, prefix })
          return (await openSkillStores({ engine, layer })).tenant('acme')
        },
      }
    },
  },
  { describe, it },
)

const subject: EngineSubject = {
  engine: (prefix) => s3Engine({ bucket: server.bucket, credentials, prefix }),
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
  roundTrips: () => server.requests(),
  stop: () => server.stop(),
  start: () => server.start(),
  async duringSweep(prefix, sweep, run) {
    let times = 0
    const observed: typeof fetch = async (input, init) => {
      const headers = new Headers(init?.headers)
      if (headers.has('if-match') && (input as URL).pathname.includes('/files/') && times++ === 0) await run()
      return fetch(input, init)
    }
    await sweep(s3Engine({ bucket: server.bucket, credentials, prefix, fetch: observed }))
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

describe('a server that is called compatible', () => {
  it('[LIB-8] is refused when it accepts stale writes, by the name of the fault', async () => {
    const stale = await startS3({ ignoresConditions: true })
    try {
      const opened = openSkillStores({ engine: s3Engine({ bucket: stale.bucket, credentials }), layer })
      await expect(opened).rejects.toMatchObject({
        code: 'STORAGE_UNSUITABLE',
        message: expect.stringContaining('although something is'),
      })
    } finally {
      await stale.close()
    }
  })

  it('[LIB-8] empties swept files where it has no conditional deletes, and they come back when they are saved', async () => {
    const simple = await startS3({ ignoresConditionsOfDeletes: true })
    const engine = s3Engine({ bucket: simple.bucket, credentials })
    const stores = await openSkillStores({ engine, layer })
    const store = stores.tenant('acme')
    const content = {
      manifest: { name: 'pdf', description: 'x' },
      definition: { type: 'instruction', content: 'A.\n' },
    } as const
    await store.save(content)
    await store.delete('pdf')
    for (const object of simple.objects.values()) object.modified -= 48 * 3_600_000
    expect(await stores.sweep()).toEqual({ files: 1 })
    expect([...simple.objects].filter(([key]) => key.includes('/files/')).map(([, { bytes }]) => bytes.length)).toEqual(
      [0],
    )
    expect(await stores.sweep()).toEqual({ files: 0 })
    await store.save(content)
    expect((await (await openSkillStores({ engine, layer })).tenant('acme').get('pdf')).body).toBe('A.\n')
    await simple.close()
  })

  it.each([
    [{ accessKeyId: 'other', secretAccessKey: 'x' }, '', 'Pass credentials that the server knows'],
    [credentials, '/../elsewhere', 'Make the bucket'],
  ])('[LIB-8] says what to do when it refuses: %j %s', async (who, path, remedy) => {
    const engine = s3Engine({ bucket: server.bucket + path, credentials: () => who })
    await expect(openSkillStores({ engine, layer })).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
      message: expect.stringContaining(remedy),
    })
  })

  it.each([
    [200, '<html>Hello</html>', 'STORAGE_UNAVAILABLE', /Pass the URL of a bucket|refuses/],
    [301, '', 'STORAGE_UNAVAILABLE', /URL and the region/],
    [501, '<Error><Code>NotImplemented</Code></Error>', 'STORAGE_UNSUITABLE', /conditional writes/],
    [503, '<Error><Code>SlowDown</Code></Error>', 'STORAGE_UNAVAILABLE', /503, SlowDown/],
  ])('[LIB-8] is not taken for one that stores: status %i', async (status, body, code, message) => {
    const engine = s3Engine({
      bucket: server.bucket,
      credentials,
      fetch: () => Promise.resolve(new Response(body, { status })),
    })
    const opened = openSkillStores({ engine, layer, timeout: 600 })
    await expect(opened).rejects.toMatchObject({
      code: expect.stringMatching(code === 'STORAGE_UNAVAILABLE' ? /^STORAGE_/ : code),
    })
    if (status !== 200) await expect(opened).rejects.toMatchObject({ message: expect.stringMatching(message) })
  })
})
