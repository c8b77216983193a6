import type { FolderListing } from '../ports/folder.ts'
import { MAX_DIGEST_FILE_BYTES } from '../ports/limits.ts'

/** Something in a folder that its digest does not cover. */
export interface Unseen {
  /** Absent if it is not a single entry. */
  readonly path?: string
  /** In words, such as `a link`. */
  readonly reason: string
}

/**
 * Finds what a folder's digest does not cover. Consent to such a folder is valid for one activation only.
 * @param hashed the files that were hashed, by path. Absent: all that are not too large
 * @returns an empty array if the digest covers everything
 */
export function unseenParts(listing: FolderListing, hashed?: ReadonlyMap<string, unknown>): readonly Unseen[] {
  const parts: Unseen[] = []
  for (const { files, refused, truncated } of [listing, listing.withheld]) {
    parts.push(...refused)
    for (const { path, size } of files) {
      if (size > MAX_DIGEST_FILE_BYTES)
        parts.push({ path, reason: `larger than ${MAX_DIGEST_FILE_BYTES / 1024 ** 2} MiB` })
      else if (hashed?.has(path) === false) parts.push({ path, reason: 'unreadable' })
    }
    if (truncated) parts.push({ reason: 'more files or deeper folders than are looked at' })
  }
  return parts
}
