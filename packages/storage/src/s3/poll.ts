import type { TenantListener } from '../engine.ts'
import { listObjects } from './listing.ts'
import type { S3Bucket } from './requests.ts'

/** Asks for a listing again and again, and tells when it is another one. */
export async function pollS3(
  bucket: S3Bucket,
  prefix: string,
  intervalMs: number,
  listener: TenantListener,
): Promise<() => Promise<void>> {
  const look = async (): Promise<string> => {
    const { objects } = await listObjects(bucket, prefix)
    return objects.map(({ key, etag }) => `${key} ${etag}`).join('\n')
  }
  let seen = await look()
  let isLost = false
  let isOver = false
  let timer: NodeJS.Timeout
  const poll = async (): Promise<void> => {
    try {
      const found = await look()
      if (found !== seen && !isOver) listener.changed()
      seen = found
      isLost = false
    } catch (error) {
      if (!isLost && !isOver) listener.lost(error)
      isLost = true
    }
    if (!isOver) start()
  }
  const start = (): void => {
    timer = setTimeout(() => void poll(), intervalMs)
    timer.unref()
  }
  start()
  return () => {
    isOver = true
    clearTimeout(timer)
    return Promise.resolve()
  }
}
