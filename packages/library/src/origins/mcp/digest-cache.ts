/** Keeps bytes by their digest, so that what was verified once is not fetched again. What was used longest ago goes first. */
export interface DigestCache {
  get(sha256: string): Uint8Array | undefined
  set(sha256: string, bytes: Uint8Array): void
}

/** @param maxBytes what all of it may have together */
export function createDigestCache(maxBytes: number): DigestCache {
  const kept = new Map<string, Uint8Array>()
  let total = 0
  const remove = (sha256: string, bytes: Uint8Array): void => {
    kept.delete(sha256)
    total -= bytes.length
  }
  return {
    get(sha256) {
      const bytes = kept.get(sha256)
      if (bytes === undefined) return undefined
      kept.delete(sha256)
      kept.set(sha256, bytes)
      // A reader may change what it is given.
      return bytes.slice()
    },
    set(sha256, bytes) {
      const former = kept.get(sha256)
      if (former !== undefined) remove(sha256, former)
      if (bytes.length > maxBytes) return
      kept.set(sha256, bytes.slice())
      total += bytes.length
      for (const [oldest, oldBytes] of kept) {
        if (total <= maxBytes) break
        remove(oldest, oldBytes)
      }
    },
  }
}
