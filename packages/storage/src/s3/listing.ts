import { SkillError } from '@repertoire/core'
import { request, type S3Bucket } from './requests.ts'

/** An object of a listing. */
export interface S3Object {
  readonly key: string
  readonly etag: string
  readonly size: number
  /** In milliseconds. */
  readonly modified: number
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", '#34': '"' }

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
    const text = state === 'done' ? new TextDecoder().decode(bytes) : ''
    if (!text.includes('<ListBucketResult')) throw notAListing(state)
    for (const [, content = ''] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs))
      objects.push(objectOf(content, prefix))
    token = elementOf(text, 'IsTruncated') === 'true' ? elementOf(text, 'NextContinuationToken') : undefined
    first ??= date
  } while (token !== undefined)
  return { objects, date: first }
}

function objectOf(content: string, prefix: string): S3Object {
  const [key, etag, size, modified] = ['Key', 'ETag', 'Size', 'LastModified'].map((name) => elementOf(content, name))
  const time = Date.parse(modified ?? '')
  if (!key?.startsWith(prefix) || etag === undefined || !/^\d+$/.test(size ?? '') || Number.isNaN(time)) {
    throw notAListing('an object that was not asked for')
  }
  return { key, etag, size: Number(size), modified: time }
}

function elementOf(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>([^<]*)</${name}>`)
    .exec(xml)?.[1]
    ?.replaceAll(/&([a-z]+|#34);/g, (entity, word: string) => ENTITIES[word] ?? entity)
}

function notAListing(found: string): SkillError {
  const message = `The storage "s3" answers a question for a listing with something else (${found}). Pass the URL of a bucket.`
  return new SkillError('STORAGE_UNAVAILABLE', message)
}
