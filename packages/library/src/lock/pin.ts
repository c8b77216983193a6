import { createHash, hash } from 'node:crypto'
import { SkillError, type FolderListing, type SkillFiles, type SkillFolder, type StoredFile } from '@repertoire/core'
import { emptyFolders, skillFolder } from '@repertoire/core/node'
import type { LockedSkill, PinnedFile, SkillPin } from './skills-lock.ts'

/** The largest file that is read: a digest of a folder covers none that is larger. */
const MAX_FILE_BYTES = 64 * 1024 * 1024

/** What of a folder can be compared with a lock. */
export interface FolderState {
  readonly files: Readonly<Record<string, PinnedFile>>
  /** As the `skills` command computes it. */
  readonly computedHash: string
  /** What is there and cannot be read: links, `node_modules`, files beyond the limits of a listing (`…`). */
  readonly unread: readonly string[]
}

/**
 * Returns the part of a lock's entry that says exactly what a folder holds: `{ ...origin, ...await pinSkill(folder) }`.
 * @param revision what was fetched: a commit, a version, a digest
 * @throws {SkillError} RESOURCE_REFUSED: the folder holds what no digest covers
 */
export async function pinSkill(
  folder: SkillFolder,
  revision?: string,
): Promise<Required<Pick<LockedSkill, 'computedHash' | 'repertoire'>>> {
  const { files, computedHash } = stateOfFiles(await readWhole(folder))
  const repertoire: SkillPin = { ...(revision !== undefined && { revision }), files }
  return { computedHash, repertoire }
}

/** Reads all files of a skill's folder. @throws {SkillError} RESOURCE_REFUSED: it holds what cannot be read */
export async function readWhole(folder: SkillFolder): Promise<SkillFiles> {
  if (typeof (folder as Partial<SkillFolder> | null)?.list !== 'function') {
    throw new TypeError('pinSkill, packSkill: pass the folder of a skill, as from `skillFolder(path)`.')
  }
  const { files, unread } = await readFiles(folder)
  if (unread.length === 0) return files
  const message = `${folder.location} is neither pinned nor packed: ${unread.slice(0, 5).join(', ')} cannot be read. Remove it, or put plain files there.`
  throw new SkillError('RESOURCE_REFUSED', message, { path: folder.location })
}

/** Reads what can be read of a skill's folder, hidden files too, by path. */
export async function readFiles(
  folder: SkillFolder,
): Promise<{ readonly files: SkillFiles; readonly unread: readonly string[] }> {
  const listing = await folder.list()
  const entries = [...listing.files, ...listing.withheld.files].toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const files = new Map<string, StoredFile>()
  for (const { path, executable } of entries) {
    files.set(path, { bytes: await folder.read(path, { withheld: true, maxBytes: MAX_FILE_BYTES }), executable })
  }
  return { files, unread: unreadIn(listing) }
}

/** The same of a folder on this disk, with the empty folders in it, which no digest covers either. */
export async function stateOnDisk(path: string): Promise<FolderState> {
  const { files, unread } = await readFiles(skillFolder(path))
  return { ...stateOfFiles(files), unread: [...unread, ...emptyFolders(path, unread)] }
}

/** The same of files that were read. */
export function stateOfFiles(read: SkillFiles): Omit<FolderState, 'unread'> {
  const files: Record<string, PinnedFile> = Object.create(null) as Record<string, PinnedFile>
  for (const [path, { bytes, executable }] of read) {
    const sha256 = hash('sha256', bytes)
    files[path] = executable === true ? { sha256, executable } : { sha256 }
  }
  return { files, computedHash: hashOf(read) }
}

/**
 * The hash of the `skills` command: paths and bytes without anything between, in the order of the machine's language.
 * Different folders may have the same one: here it is written for that command and never relied on.
 */
function hashOf(files: SkillFiles): string {
  const all = createHash('sha256')
  for (const [path, { bytes }] of [...files].toSorted(([a], [b]) => a.localeCompare(b))) all.update(path).update(bytes)
  return all.digest('hex')
}

/** What is in a folder and cannot be read. */
function unreadIn(listing: FolderListing): readonly string[] {
  const refused = [listing, listing.withheld].flatMap((part) => part.refused.map(({ path }) => path))
  return listing.truncated || listing.withheld.truncated ? [...refused, '…'] : refused
}
