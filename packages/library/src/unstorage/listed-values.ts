/**
 * Values that were fetched for a listing, which needs their sizes, and are read right behind it: each is given once, so that
 * a digest of a folder asks a storage for each value once and not twice.
 */
export interface ListedValues {
  put(key: string, bytes: Uint8Array): void
  /** Undefined: it has to be fetched. */
  take(key: string): Uint8Array | undefined
}

/** What all of them may have together. */
const MAX_BYTES = 16 * 1024 * 1024

/** What was listed longer ago may be another value by now, in milliseconds. */
const MAX_AGE_MS = 5_000

/** Creates an empty record, one for all skills of a storage. */
export function createListedValues(): ListedValues {
  const kept = new Map<string, { readonly bytes: Uint8Array; readonly until: number }>()
  let total = 0
  const remove = (key: string): void => {
    total -= kept.get(key)?.bytes.length ?? 0
    kept.delete(key)
  }
  return {
    put(key, bytes) {
      remove(key)
      if (bytes.length > MAX_BYTES) return
      kept.set(key, { bytes, until: Date.now() + MAX_AGE_MS })
      total += bytes.length
      for (const oldest of kept.keys()) {
        if (total <= MAX_BYTES) break
        remove(oldest)
      }
    },
    take(key) {
      const found = kept.get(key)
      remove(key)
      return found !== undefined && Date.now() <= found.until ? found.bytes : undefined
    },
  }
}
