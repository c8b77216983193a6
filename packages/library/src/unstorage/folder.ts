import { SkillError, type FolderEntry, type SkillFolder } from '@repertoire/core'
import { listFiles, resourceParts } from '@repertoire/core/stores'
import type { StoredKeys } from './keys.ts'
import { readValue, type UnstorageReader } from './reader.ts'

/** The largest file that is read where nothing else is asked for. */
const MAX_FILE_BYTES = 10 * 1024 * 1024

/** The most files of one skill: what is more is not listed, so that no digest covers it. */
const MAX_FILES = 1_000

/** Reads one skill of a storage. Keys are those of the scan, values those of the read. */
export function storageFolder(
  location: string,
  { files }: StoredKeys,
  reader: UnstorageReader,
  listed: ListedValues,
): SkillFolder {
  const read = async (path: string, maxBytes: number): Promise<Uint8Array> => {
    const key = files.get(path)
    const value = key === undefined ? undefined : (listed.take(key) ?? (await readValue(reader, key)))
    const subject = `${JSON.stringify(path)} in ${location}`
    if (value === undefined) throw new SkillError('RESOURCE_NOT_FOUND', `There is no file ${subject}.`, { path })
    if ('not' in value) {
      const message = `${subject} is ${value.not}, and a file is text or bytes. Save it with setItemRaw.`
      throw new SkillError('RESOURCE_REFUSED', message, { path })
    }
    if (value.length <= maxBytes) return value
    const message = `${subject} has ${value.length} bytes; at most ${maxBytes} are read.`
    throw new SkillError('RESOURCE_TOO_LARGE', message, { path })
  }
  return {
    location,
    readManifest: () => read('SKILL.md', MAX_FILE_BYTES),
    async list() {
      const paths = [...files.keys()].toSorted((a, b) => (a < b ? -1 : 1))
      const entries: FolderEntry[] = []
      const refused: { path: string; reason: string }[] = []
      for (const path of paths.slice(0, MAX_FILES)) {
        const key = files.get(path)!
        const value = await readValue(reader, key)
        if (value === undefined) continue
        if ('not' in value) refused.push({ path, reason: `${value.not}, not text or bytes` })
        else {
          listed.put(key, value)
          entries.push({ path, size: value.length, executable: false })
        }
      }
      const listing = listFiles(entries)
      return { ...listing, refused: [...listing.refused, ...refused], truncated: paths.length > MAX_FILES }
    },
    read: async (path, { maxBytes = MAX_FILE_BYTES, withheld = false } = {}) =>
      read(resourceParts(path, location, withheld).join('/'), maxBytes),
  }
}

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
