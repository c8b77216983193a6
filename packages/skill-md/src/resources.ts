import { MAX_DIGEST_FILE_BYTES } from './ports/limits.ts'
import type { FolderEntry, FolderListing } from './ports/skill.ts'

/** A skill's files by their purpose, by their folder (Agent Skills specification, directory structure). */
export interface ResourceGroups {
  readonly scripts: readonly FolderEntry[]
  readonly references: readonly FolderEntry[]
  readonly assets: readonly FolderEntry[]
  /** All others except the manifest. */
  readonly other: readonly FolderEntry[]
}

/** Groups a skill's files by kind, in their order. */
export function groupResources(files: readonly FolderEntry[]): ResourceGroups {
  const kinds = Map.groupBy(
    files.filter(({ path }) => path !== 'SKILL.md'),
    ({ path }) => kindOf(path),
  )
  return {
    scripts: kinds.get('scripts') ?? [],
    references: kinds.get('references') ?? [],
    assets: kinds.get('assets') ?? [],
    other: kinds.get('other') ?? [],
  }
}

function kindOf(path: string): keyof ResourceGroups {
  const [top = ''] = path.split('/', 1)
  return path.includes('/') && (top === 'scripts' || top === 'references' || top === 'assets') ? top : 'other'
}

/** Something in a folder that its digest does not cover. */
export interface Unseen {
  /** The path of the entry. Absent if it is not a single one. */
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
