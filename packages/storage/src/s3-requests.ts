import { SkillError } from '@repertoire/core'
import { AwsV4Signer } from 'aws4fetch'
import { hashOf } from './files.ts'
import { ConnectionLostError } from './engine.ts'

/** The time limit of one request. The operation as a whole has its own limit. */
const REQUEST_TIMEOUT_MS = 120_000

/** What requests are signed with. */
export interface S3Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

/** Where the bucket is, and who asks. */
export interface S3Bucket {
  /** The URL of the bucket, without a slash at its end. */
  readonly url: string
  readonly region: string
  readonly credentials: S3Credentials | (() => S3Credentials | Promise<S3Credentials>)
  readonly fetch: typeof fetch
}

/** One request. */
export interface S3Request {
  readonly method: 'GET' | 'PUT' | 'DELETE'
  /** Empty: the bucket itself. */
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** Called after the request is signed, right before it is sent. */
  readonly beforeSending?: () => void
}

/** An answer that is not a failure: it was done, nothing is there, it is as the caller knows it, or a condition does not hold. */
export interface S3Answer {
  readonly state: 'done' | 'missing' | 'unchanged' | 'refused'
  readonly bytes: Uint8Array
  readonly etag: string
  /** The time of the server, in milliseconds. */
  readonly date: number
}

const REMEDIES: Readonly<Record<string, string>> = {
  AccessDenied: 'Allow these credentials to list the bucket, and to get, put and delete its objects',
  InvalidAccessKeyId: 'Pass credentials that the server knows',
  SignatureDoesNotMatch: 'Pass the right secret key and region',
  RequestTimeTooSkewed: 'Set the clock of this machine',
  ExpiredToken: 'Pass credentials as a function, which is asked for new ones',
  NoSuchBucket: 'Make the bucket, or pass the URL of one that is there',
  AuthorizationHeaderMalformed: 'Pass the region of the bucket',
}

/** @throws {ConnectionLostError} it may be done when it is asked for again. @throws {SkillError} it is refused */
export async function request(bucket: S3Bucket, asked: S3Request): Promise<S3Answer> {
  const { method, key = '', query = {}, headers = {}, body, beforeSending } = asked
  const { credentials } = bucket
  const url = new URL(key === '' ? `${bucket.url}/` : `${bucket.url}/${key}`)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  const signed = await new AwsV4Signer({
    ...(typeof credentials === 'function' ? await credentials() : credentials),
    method,
    url: url.href,
    // The server compares what it receives with it.
    headers: { ...headers, 'x-amz-content-sha256': hashOf(body ?? '') },
    service: 's3',
    region: bucket.region,
  }).sign()
  beforeSending?.()
  const { status, headers: answered, bytes } = await answerOf(bucket, signed, body)
  const date = Date.parse(answered.get('date') ?? '') || Date.now()
  const answer = { bytes, etag: answered.get('etag') ?? '', date }
  if (status >= 200 && status < 300) return { ...answer, state: 'done' }
  if (status === 304) return { ...answer, state: 'unchanged' }
  const code = /<Code>(\w+)<\/Code>/.exec(new TextDecoder().decode(bytes))?.[1] ?? ''
  if (status === 404 && code !== 'NoSuchBucket') return { ...answer, state: 'missing' }
  if (status === 412) return { ...answer, state: 'refused' }
  throw failure(status, code)
}

async function answerOf(
  bucket: S3Bucket,
  { method, url, headers }: { readonly method: string; readonly url: URL; readonly headers: Headers },
  body: Uint8Array | undefined,
): Promise<{ readonly status: number; readonly headers: Headers; readonly bytes: Uint8Array }> {
  try {
    const response = await bucket.fetch(url, {
      method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      ...(body !== undefined && { body: body as Uint8Array<ArrayBuffer> }),
    })
    const bytes = new Uint8Array(await response.arrayBuffer())
    return { status: response.status, headers: response.headers, bytes }
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
    throw new ConnectionLostError('S3', cause)
  }
}

function failure(status: number, code: string): Error {
  const said = `status ${status}${code === '' ? '' : `, ${code}`}`
  if (status === 501) {
    const message = `The storage "s3" is not used: it does not know conditional writes (${said}). With two machines it would lose skills without a word. Use a server that keeps them.`
    return new SkillError('STORAGE_UNSUITABLE', message)
  }
  // 409: another conditional request for the same key is on its way.
  if (status >= 500 || status === 429 || status === 408 || status === 409)
    return new ConnectionLostError('S3', new Error(said))
  const remedy =
    REMEDIES[code] ?? (status < 400 ? 'Pass the URL and the region of the bucket' : 'See the log of the server')
  return new SkillError('STORAGE_UNAVAILABLE', `The storage "s3" refuses a call (${said}). ${remedy}.`)
}

/** An object of a listing. */
export interface S3Object {
  readonly key: string
  readonly etag: string
  readonly size: number
  /** In milliseconds. */
  readonly modified: number
}

/**
 * Lists all objects whose keys begin with a prefix, with the time of the server when it was asked.
 * @throws {SkillError} STORAGE_UNAVAILABLE: the answer is not a listing of them
 */
export async function listObjects(
  bucket: S3Bucket,
  prefix: string,
): Promise<{ readonly objects: readonly S3Object[]; readonly date: number }> {
  const objects: S3Object[] = []
  let first: number | undefined
  let token: string | undefined
  do {
    const query = { 'list-type': '2', prefix, ...(token !== undefined && { 'continuation-token': token }) }
    const { bytes, state, date } = await request(bucket, { method: 'GET', query })
    const text = new TextDecoder().decode(bytes)
    if (state !== 'done' || !text.includes('<ListBucketResult')) throw notAListing(state)
    for (const [, content = ''] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
      const [key = '', etag = '', size, modified = ''] = ['Key', 'ETag', 'Size', 'LastModified'].map((name) =>
        elementOf(content, name),
      )
      if (!key.startsWith(prefix)) throw notAListing('an object that was not asked for')
      objects.push({ key, etag, size: Number(size), modified: Date.parse(modified) })
    }
    token = elementOf(text, 'IsTruncated') === 'true' ? elementOf(text, 'NextContinuationToken') : undefined
    first ??= date
  } while (token !== undefined)
  return { objects, date: first }
}

/** Keys of ours need no escaping, tokens and ETags may. */
function elementOf(xml: string, name: string): string | undefined {
  const content = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]
  return content?.replaceAll(/&(?:quot|#34);/g, '"').replaceAll('&amp;', '&')
}

function notAListing(found: string): SkillError {
  const message = `The storage "s3" answers a question for a listing with something else (${found}). Pass the URL of a bucket.`
  return new SkillError('STORAGE_UNAVAILABLE', message)
}
