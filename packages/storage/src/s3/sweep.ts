import { randomUUID } from 'node:crypto'
import type { SweepResult } from '../engine.ts'
import { referencesIn } from '../heads/head.ts'
import { listObjects, type S3Object } from './listing.ts'
import { inParallel } from './parallel.ts'
import { request, storedIn, type S3Bucket } from './requests.ts'

/**
 * Removes old blobs to which no head refers, on the condition that they are as they were listed: a writer who is about to
 * refer to one has written it again, and then it has another ETag. Where a server has no conditional deletes, a blob is
 * emptied on that condition, and the empty object stays.
 */
export async function sweepS3(bucket: S3Bucket, prefix: string, olderThanMs: number): Promise<SweepResult> {
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
