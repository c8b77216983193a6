import { randomBytes, randomUUID } from 'node:crypto'
import {
  type OptionTable,
  callable,
  checkOptions,
  either,
  foreign,
  number,
  required,
  secret,
  tableOf,
  text as textKind,
  withDefault,
} from '@repertoire/core/options'
import {
  ConnectionLostError,
  type HeadWrite,
  type StorageEngine,
  type StoredHead,
  type SweepResult,
} from '../engine.ts'
import { type S3Object, listObjects } from './listing.ts'
import { inParallel } from './parallel.ts'
import { pollS3 } from './poll.ts'
import { type S3Answer, type S3Bucket, type S3Credentials, request, storedIn } from './requests.ts'
import { referencesIn } from '../heads/head.ts'

/** Heads that one call for changes reads. */
const HEADS_A_CALL = 256

/**
 * The longest that a write may take from its first blob to its head. A head that is signed by then is accepted for a
 * quarter of an hour, and blobs are swept after an hour at the earliest.
 */
const MAX_WRITE_MS = 10 * 60 * 1000

/** Before the bytes of a blob. Another one each time, so that it gets another ETag when it is written again. */
const NONCE_BYTES = 16

/** What is known of a tenant's heads. */
interface S3Cursor {
  /** By skill. */
  readonly etags: ReadonlyMap<string, string>
  /** Those of the last listing that were not read yet. */
  readonly unread: readonly string[]
}

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
  /** How often a watched tenant's listing is asked for, in milliseconds. Default: never; a reload sees what has changed. */
  readonly pollInterval?: number | undefined
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
  pollInterval: number('milliseconds', { from: 100, isUnlimited: true }),
  fetch: callable,
}

/**
 * Keeps skills in a bucket of S3, or of a compatible store with conditional writes (`If-Match`, `If-None-Match`).
 * @throws {TypeError} an option is unknown or has the wrong type
 */
export function s3Engine(options: S3EngineOptions): StorageEngine {
  checkOptions('s3Engine', OPTIONS, options)
  const { region = 'us-east-1', credentials, prefix = 'repertoire', pollInterval } = options
  const bucket: S3Bucket = {
    url: options.bucket.replace(/\/+$/, ''),
    region,
    credentials,
    fetch: options.fetch ?? fetch,
  }
  const headsOf = (tenant: string): string => `${prefix}/heads/${tenant}/`
  const blobKey = (hash: string): string => `${prefix}/blobs/${hash}`
  const putBlob = async ({ hash, bytes }: HeadWrite['blobs'][number]): Promise<void> => {
    const body = Buffer.concat([randomBytes(NONCE_BYTES), bytes])
    await request(bucket, { method: 'PUT', key: blobKey(hash), body })
  }
  const engine: StorageEngine = {
    name: 's3',
    async open() {
      await request(bucket, { method: 'GET', query: { 'list-type': '2', prefix: `${prefix}/`, 'max-keys': '1' } })
    },
    async read(tenant, skill) {
      return storedIn(await request(bucket, { method: 'GET', key: headsOf(tenant) + skill }))?.head ?? undefined
    },
    async changes(tenant, cursor) {
      const known = cursor as S3Cursor | undefined
      const start = headsOf(tenant)
      const heads = new Map<string, StoredHead | null>()
      const etags = new Map(known?.etags)
      let changed = known?.unread ?? []
      if (changed.length === 0) {
        const { objects } = await listObjects(bucket, start)
        const listed = new Map(objects.map(({ key, etag }) => [key.slice(start.length), etag]))
        changed = [...listed].flatMap(([skill, etag]) => (etags.get(skill) === etag ? [] : [skill]))
        for (const skill of etags.keys()) {
          if (listed.has(skill)) continue
          heads.set(skill, null)
          etags.delete(skill)
        }
      }
      await inParallel(changed.slice(0, HEADS_A_CALL), async (skill) => {
        const answer = await request(bucket, { method: 'GET', key: start + skill })
        heads.set(skill, storedIn(answer)?.head ?? null)
        if (answer.state === 'done') etags.set(skill, answer.etag)
        else etags.delete(skill)
      })
      const unread = changed.slice(HEADS_A_CALL)
      const next: S3Cursor = { etags, unread: [] }
      const rest: S3Cursor = { etags, unread }
      return { cursor: next, isWhole: known === undefined, heads, ...(unread.length > 0 && { rest }) }
    },
    async write({ tenant, skill, expected, version, text, blobs }) {
      const end = Date.now() + MAX_WRITE_MS
      await inParallel(blobs, putBlob)
      const key = headsOf(tenant) + skill
      const body = new TextEncoder().encode(`${version}\n${text ?? ''}`)
      const put = (condition: Readonly<Record<string, string>>): Promise<S3Answer> =>
        request(bucket, { method: 'PUT', key, body, headers: condition, beforeSending: () => refuseLate(end) })
      const { state, etag } = await put(expected === undefined ? { 'if-none-match': '*' } : { 'if-match': expected })
      if (state === 'done') return etag
      const stored = storedIn(await request(bucket, { method: 'GET', key }))
      // A write that is repeated, since its answer was lost, finds itself.
      if (stored?.version === version) return stored.etag
      // What was removed is nothing, and still an object.
      if (stored?.head !== null || expected !== undefined) return undefined
      const again = await put({ 'if-match': stored.etag })
      return again.state === 'done' ? again.etag : undefined
    },
    async readBlobs(hashes) {
      const found = new Map<string, Uint8Array>()
      await inParallel(hashes, async (hash) => {
        const { state, bytes } = await request(bucket, { method: 'GET', key: blobKey(hash) })
        if (state === 'done' && bytes.length >= NONCE_BYTES) found.set(hash, bytes.subarray(NONCE_BYTES))
      })
      return found
    },
    async removeTenant(tenant) {
      const { objects } = await listObjects(bucket, headsOf(tenant))
      await inParallel(objects, ({ key }) => request(bucket, { method: 'DELETE', key }))
    },
    sweep: (olderThanMs) => sweepS3(bucket, prefix, olderThanMs),
    close: () => Promise.resolve(),
  }
  if (pollInterval === undefined) return engine
  return { ...engine, watch: (tenant, listener) => pollS3(bucket, headsOf(tenant), pollInterval, listener) }
}

function refuseLate(end: number): void {
  if (Date.now() > end)
    throw new ConnectionLostError('S3', new Error('A write took so long that its files may be swept.'))
}

/**
 * Removes old blobs to which no head refers, on the condition that they are as they were listed: a writer who is about to
 * refer to one has written it again, and then it has another ETag. Where a server has no conditional deletes, a blob is
 * emptied on that condition, and the empty object stays.
 */
async function sweepS3(bucket: S3Bucket, prefix: string, olderThanMs: number): Promise<SweepResult> {
  const canDelete = await deletesOnCondition(bucket, `${prefix}/probe/${randomUUID()}`)
  const { objects, date } = await listObjects(bucket, `${prefix}/blobs/`)
  const isOld = ({ modified }: S3Object): boolean => modified < date - olderThanMs
  const start = `${prefix}/blobs/`.length
  const old = new Map(
    objects.filter((object) => isOld(object) && object.size > 0).map((object) => [object.key.slice(start), object]),
  )
  const heads = await listObjects(bucket, `${prefix}/heads/`)
  await inParallel(heads.objects, async (object) => {
    const answer = await request(bucket, { method: 'GET', key: object.key })
    const stored = storedIn(answer)
    for (const hash of referencesIn(stored?.head?.text ?? '')) old.delete(hash)
    if (canDelete && stored?.head === null && isOld(object)) {
      await request(bucket, { method: 'DELETE', key: object.key, headers: { 'if-match': answer.etag } })
    }
  })
  const removed = await inParallel([...old.values()], async ({ key, etag }) => {
    const headers = { 'if-match': etag }
    const { state } = await (canDelete
      ? request(bucket, { method: 'DELETE', key, headers })
      : request(bucket, { method: 'PUT', key, headers, body: new Uint8Array() }))
    return state === 'done'
  })
  return { blobs: removed.filter(Boolean).length }
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
