import { randomBytes } from 'node:crypto'
import { SkillError } from '@repertoire/core'
import { type OptionTable, checkOptions, required, withDefault, withMethods } from '@repertoire/core/options'
import { ConnectionLostError, referencesIn, type StorageEngine, type SweepResult } from './engine.ts'
import { textLike } from './namespace.ts'

interface Limits {
  readonly abortSignal: AbortSignal
}

type S3Call<Input, Answer> = (input: Input & { Bucket: string }, limits: Limits) => Promise<Answer>

interface S3Object {
  readonly Key?: string
  readonly ETag?: string
  readonly Size?: number
  readonly LastModified?: Date
  readonly Body?: { transformToByteArray(): Promise<Uint8Array> }
}

interface S3Page {
  readonly Prefix?: string
  readonly Contents?: readonly S3Object[]
  readonly NextContinuationToken?: string
}

/** What is used of a client of the package `@aws-sdk/client-s3`, an `S3`. */
export interface S3Client {
  readonly getObject: S3Call<{ Key: string; IfNoneMatch?: string }, S3Object>
  readonly putObject: S3Call<{ Key: string; Body: Uint8Array; IfMatch?: string; IfNoneMatch?: string }, S3Object>
  readonly listObjectsV2: S3Call<{ Prefix: string; ContinuationToken?: string }, S3Page>
}

/** Options of `s3Engine`. */
export interface S3EngineOptions {
  /** An `S3` of the package `@aws-sdk/client-s3`, used beside your own calls. You destroy it. */
  readonly client: S3Client
  /** The name of the bucket, which exists. */
  readonly bucket: string
  /** The beginning of all keys: letters, digits, `-`, `_` and `/`. Default `repertoire`. */
  readonly prefix?: string | undefined
}

const clientMethods = ['getObject', 'putObject', 'listObjectsV2'] as const

const OPTIONS: OptionTable<S3EngineOptions> = {
  client: required(withMethods('an `S3` of the package "@aws-sdk/client-s3"', ...clientMethods)),
  bucket: required(textLike('the name of a bucket', /^[\w.:/-]+$/)),
  prefix: withDefault(
    'repertoire',
    textLike('letters, digits, "-" and "_", with "/" between', /^[\w-]+(?:\/[\w-]+)*$/),
  ),
}

/** The time limit of one request: a write of a thousand files ends before one of them may be swept, after an hour. */
const REQUEST_TIMEOUT_MS = 60_000

/** Before the bytes of a file. Another one each time, so that it gets another ETag when it is written again. */
const NONCE_BYTES = 16

/**
 * Keeps records and files in a bucket of S3, or of a compatible store with conditional writes (`If-Match`,
 * `If-None-Match`).
 * @throws {TypeError} an option is unknown or has the wrong type
 */
export function s3Engine(options: S3EngineOptions): StorageEngine {
  checkOptions('s3Engine', OPTIONS, options, 's3Engine({ client, bucket })')
  const { prefix = 'repertoire' } = options
  const objects = objectsOf(options)
  const fileKey = (hash: string): string => `${prefix}/files/${hash}`
  const recordKey = (key: string): string => `${prefix}/records/${key}`
  return {
    name: 's3',
    readsFilesSingly: true,
    open: () => Promise.resolve(),
    async read(key, known) {
      const found = await objects.get(recordKey(key), known)
      const now = Date.now()
      if (found === 'unchanged') return { now, token: known }
      return typeof found === 'string' ? { now } : { now, token: found.etag, text: String(found.bytes) }
    },
    async replace({ key, expected, text, files = [], expiresIn }) {
      if (expiresIn !== undefined) throw new TypeError('s3Engine keeps no sessions: use Redis or PostgreSQL for them.')
      await inBatches(files, ({ hash, bytes }) =>
        objects.put(fileKey(hash), Buffer.concat([randomBytes(NONCE_BYTES), bytes])),
      )
      const condition = expected === undefined ? { IfNoneMatch: '*' } : { IfMatch: expected }
      const written = await objects.put(recordKey(key), Buffer.from(text), condition)
      return typeof written === 'string' ? undefined : written.ETag
    },
    async readFiles(hashes) {
      const found = new Map<string, Uint8Array>()
      await inBatches(hashes, async (hash) => {
        const file = await objects.get(fileKey(hash))
        // An empty one was swept.
        if (typeof file !== 'string' && file.bytes.length > 0) found.set(hash, file.bytes.subarray(NONCE_BYTES))
      })
      return found
    },
    sweep: (olderThanMs) => sweepS3(objects, prefix, olderThanMs),
  }
}

type S3Objects = ReturnType<typeof objectsOf>

function objectsOf({ client, bucket: Bucket }: S3EngineOptions) {
  return {
    get: (Key: string, IfNoneMatch?: string) =>
      send(async (limits) => {
        const { Body, ETag } = await client.getObject({ Bucket, Key, IfNoneMatch }, limits)
        return { bytes: Buffer.from((await Body?.transformToByteArray()) ?? []), etag: ETag }
      }),
    put: (Key: string, Body: Uint8Array, condition: { IfMatch?: string; IfNoneMatch?: string } = {}) =>
      send((limits) => client.putObject({ Bucket, Key, Body, ...condition }, limits)),
    async list(Prefix: string): Promise<readonly S3Object[]> {
      const found: S3Object[] = []
      let ContinuationToken: string | undefined
      do {
        const page = await send((limits) => client.listObjectsV2({ Bucket, Prefix, ContinuationToken }, limits))
        // A page of a proxy reads as an empty listing, by which a sweep would remove every file.
        if (typeof page === 'string' || page.Prefix !== Prefix) {
          const message = `The storage "s3" does not list "${Prefix}" of the bucket "${Bucket}". Give the client the endpoint of a server of S3.`
          throw new SkillError('STORAGE_UNAVAILABLE', message)
        }
        found.push(...(page.Contents ?? []))
        ContinuationToken = page.NextContinuationToken
      } while (ContinuationToken !== undefined)
      return found
    },
  }
}

/**
 * Empties old files without a record, on the condition that they are as they were listed: a writer that is about to
 * refer to one has written it again, and then it has another ETag. Few servers keep the condition of a delete.
 */
async function sweepS3(objects: S3Objects, prefix: string, olderThanMs: number): Promise<SweepResult> {
  const start = `${prefix}/files/`
  const clock = `${start}clock`
  await objects.put(clock, new Uint8Array())
  const listed = await objects.list(start)
  // By the clock of the server.
  const before = Number(listed.find(({ Key }) => Key === clock)?.LastModified ?? 0) - olderThanMs
  const old = listed.filter(({ Size, LastModified }) => Size !== 0 && Number(LastModified) < before)
  const unused = new Map(old.map((object) => [object.Key?.slice(start.length) ?? '', object]))
  await inBatches(await objects.list(`${prefix}/records/`), async ({ Key = '' }) => {
    const record = await objects.get(Key)
    if (typeof record !== 'string') for (const hash of referencesIn(String(record.bytes))) unused.delete(hash)
  })
  let files = 0
  await inBatches([...unused.values()], async ({ Key = '', ETag }) => {
    if (typeof (await objects.put(Key, new Uint8Array(), { IfMatch: ETag })) !== 'string') files++
  })
  return { files }
}

/** Requests on their way at once. */
const PARALLEL = 32

async function inBatches<T>(items: readonly T[], run: (item: T) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < items.length; at += PARALLEL) await Promise.all(items.slice(at, at + PARALLEL).map(run))
}

const REMEDIES: Readonly<Record<string, string>> = {
  AccessDenied: 'Allow the client to list the bucket, and to get and put its objects',
  InvalidAccessKeyId: 'Give the client credentials that the server knows',
  SignatureDoesNotMatch: 'Give the client the right secret key and region',
  RequestTimeTooSkewed: 'Set the clock of this machine',
  ExpiredToken: 'Give the client a provider of credentials, which is asked for new ones',
  NotImplemented: 'Use a server with conditional writes: with two machines this one would lose skills without a word',
  NoSuchBucket: 'Make the bucket, or pass the name of one that is there',
}

/** An answer that is no error: nothing is there, it is what the caller knows, or it is not what was expected. */
type Unmet = 'missing' | 'unchanged' | 'refused'

/** Sends a request, and says what an error means. */
async function send<T extends object>(call: (limits: Limits) => Promise<T>): Promise<T | Unmet> {
  try {
    return await call({ abortSignal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) })
  } catch (error) {
    const { name = '', $metadata = {} } = Object(error) as {
      readonly name?: string
      readonly $metadata?: { readonly httpStatusCode?: number; readonly attempts?: number }
    }
    const { httpStatusCode: status, attempts = 1 } = $metadata
    if (name === 'CredentialsProviderError') throw error
    if (status === undefined) throw new ConnectionLostError('S3', error)
    if (status === 304) return 'unchanged'
    if (status === 404 && name !== 'NoSuchBucket') return 'missing'
    // After a lost answer the client asks again, and then its own write is what the condition finds.
    if (status === 412 && attempts === 1) return 'refused'
    const said = `status ${status}, ${name}`
    // 409: another conditional request for the same key is on its way.
    if ((status >= 500 && status !== 501) || [408, 409, 412, 429].includes(status))
      throw new ConnectionLostError('S3', new Error(said))
    const message = `The storage "s3" refuses a call (${said}). ${REMEDIES[name] ?? 'Give the client the right region and endpoint, or see the log of the server'}.`
    throw new SkillError(status === 501 ? 'STORAGE_UNSUITABLE' : 'STORAGE_UNAVAILABLE', message, { cause: error })
  }
}
