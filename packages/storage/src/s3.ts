import { randomBytes, randomUUID } from 'node:crypto'
import {
  type OptionTable,
  callable,
  checkOptions,
  either,
  foreign,
  required,
  secret,
  tableOf,
  text as textKind,
  withDefault,
} from '@repertoire/core/options'
import { ConnectionLostError, referencesIn, type StorageEngine, type SweepResult } from './engine.ts'
import { listObjects, request, type S3Bucket, type S3Credentials, type S3Object } from './s3-requests.ts'

/**
 * The longest that a write may take from its first file to its record. A record that is signed by then is accepted for a
 * quarter of an hour, and files are swept after an hour at the earliest.
 */
const MAX_WRITE_MS = 10 * 60 * 1000

/** Before the bytes of a file. Another one each time, so that it gets another ETag when it is written again. */
const NONCE_BYTES = 16

/** Options of `s3Engine`. */
export interface S3EngineOptions {
  /** The URL of the bucket: `https://skills.s3.eu-central-1.amazonaws.com`, `https://minio.example.com/skills`. */
  readonly bucket: string
  /** The bucket's region. Default `us-east-1`, which servers other than Amazon's mostly take. */
  readonly region?: string | undefined
  /** A function is asked before every request, so that credentials can be renewed. */
  readonly credentials: S3Credentials | (() => S3Credentials | Promise<S3Credentials>)
  /** The beginning of all keys: letters, digits, `-`, `_` and `/`. Default `repertoire`. */
  readonly prefix?: string | undefined
  /** For a proxy, or a host's own agent. Default the platform's. */
  readonly fetch?: typeof fetch | undefined
}

const OPTIONS: OptionTable<S3EngineOptions> = {
  bucket: required(foreign('the URL of a bucket', (value) => typeof value === 'string' && URL.canParse(value))),
  region: withDefault('us-east-1', textKind),
  credentials: required(
    either(
      tableOf<S3Credentials>({
        accessKeyId: required(secret),
        secretAccessKey: required(secret),
        sessionToken: secret,
      }),
      callable,
    ),
  ),
  prefix: withDefault(
    'repertoire',
    foreign(
      'letters, digits, "-", "_" and "/", at most 64, without "/" at either end',
      (value) => typeof value === 'string' && value.length <= 64 && /^[\w-]+(?:\/[\w-]+)*$/.test(value),
    ),
  ),
  fetch: callable,
}

/**
 * Keeps records and files in a bucket of S3, or of a compatible store with conditional writes (`If-Match`,
 * `If-None-Match`).
 * @throws {TypeError} an option is unknown or has the wrong type
 */
export function s3Engine(options: S3EngineOptions): StorageEngine {
  checkOptions('s3Engine', OPTIONS, options, 's3Engine({ bucket, credentials })')
  const { region = 'us-east-1', credentials, prefix = 'repertoire', fetch: ask = fetch } = options
  const bucket: S3Bucket = { url: options.bucket.replace(/\/+$/, ''), region, credentials, fetch: ask }
  const fileKey = (hash: string): string => `${prefix}/files/${hash}`
  const recordKey = (key: string): string => `${prefix}/records/${key}`
  return {
    name: 's3',
    readsFilesSingly: true,
    open: () => Promise.resolve(),
    async read(key, known) {
      const headers: Record<string, string> = known === undefined ? {} : { 'if-none-match': known }
      const { state, bytes, etag, date } = await request(bucket, { method: 'GET', key: recordKey(key), headers })
      if (state === 'missing') return { now: date }
      if (state === 'unchanged') return { now: date, token: known }
      return { now: date, token: etag, text: new TextDecoder().decode(bytes) }
    },
    async replace({ key, expected, text, files = [], expiresIn }) {
      if (expiresIn !== undefined) throw new TypeError('s3Engine keeps no sessions: use Redis or PostgreSQL for them.')
      const end = Date.now() + MAX_WRITE_MS
      await inParallel(files, ({ hash, bytes }) =>
        request(bucket, { method: 'PUT', key: fileKey(hash), body: Buffer.concat([randomBytes(NONCE_BYTES), bytes]) }),
      )
      const { state, etag } = await request(bucket, {
        method: 'PUT',
        key: recordKey(key),
        body: Buffer.from(text),
        headers: expected === undefined ? { 'if-none-match': '*' } : { 'if-match': expected },
        beforeSending() {
          if (Date.now() <= end) return
          throw new ConnectionLostError('S3', new Error('A write took so long that its files may be swept.'))
        },
      })
      return state === 'done' ? etag : undefined
    },
    async readFiles(hashes) {
      const found = new Map<string, Uint8Array>()
      await inParallel(hashes, async (hash) => {
        const { state, bytes } = await request(bucket, { method: 'GET', key: fileKey(hash) })
        if (state === 'done' && bytes.length >= NONCE_BYTES) found.set(hash, bytes.subarray(NONCE_BYTES))
      })
      return found
    },
    sweep: (olderThanMs) => sweepS3(bucket, prefix, olderThanMs),
  }
}

/**
 * Removes old files to which no record refers, on the condition that they are as they were listed: a writer who is about to
 * refer to one has written it again, and then it has another ETag. If a server has no conditional deletes, a file is
 * emptied on that condition, and the empty object stays.
 */
async function sweepS3(bucket: S3Bucket, prefix: string, olderThanMs: number): Promise<SweepResult> {
  const canDelete = await deletesOnCondition(bucket, `${prefix}/probe/${randomUUID()}`)
  const start = `${prefix}/files/`
  const { objects, date } = await listObjects(bucket, start)
  const isOld = ({ modified, size }: S3Object): boolean => size > 0 && modified < date - olderThanMs
  const unused = new Map(objects.filter(isOld).map((object) => [object.key.slice(start.length), object]))
  const records = await listObjects(bucket, `${prefix}/records/`)
  await inParallel(records.objects, async ({ key }) => {
    const { bytes } = await request(bucket, { method: 'GET', key })
    for (const hash of referencesIn(new TextDecoder().decode(bytes))) unused.delete(hash)
  })
  const removed = await inParallel([...unused.values()], async ({ key, etag }) => {
    const headers = { 'if-match': etag }
    const change = canDelete ? ({ method: 'DELETE' } as const) : ({ method: 'PUT', body: new Uint8Array() } as const)
    return (await request(bucket, { ...change, key, headers })).state === 'done'
  })
  return { files: removed.filter(Boolean).length }
}

/** Tries whether the server keeps the condition of a delete. One that does not know it deletes all the same. */
async function deletesOnCondition(bucket: S3Bucket, key: string): Promise<boolean> {
  await request(bucket, { method: 'PUT', key, body: new Uint8Array(1) })
  const wrong = { 'if-match': `"${'0'.repeat(32)}"` }
  const { state } = await request(bucket, { method: 'DELETE', key, headers: wrong })
  const isThere = (await request(bucket, { method: 'GET', key })).state === 'done'
  await request(bucket, { method: 'DELETE', key })
  return state === 'refused' && isThere
}

/** Requests on their way at once. */
const PARALLEL = 32

/** Runs a function for every item, at most 32 at once, and returns the results in the order of the items. */
async function inParallel<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = []
  const rest = items.entries()
  let hasFailed = false
  const work = async (): Promise<void> => {
    for (const [at, item] of rest) {
      if (hasFailed) return
      try {
        results[at] = await run(item)
      } catch (error) {
        hasFailed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(PARALLEL, items.length) }, work))
  return results
}
