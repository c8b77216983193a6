import type { Dirent, Stats } from 'node:fs'
import { isGitData, isDependencyFolder, isWithheld, pathProblem } from '../../resources/path.ts'
import type { FolderEntry, FolderFiles, FolderListing } from '@repertoire/skill-md/internal'
import { OpenError, type OpenErrorKind } from './open-error.ts'
import type { OpenFolder } from './safe-open.ts'

/** In folders below the skill's own. */
const MAX_DEPTH = 16

/** Files, folders and refusals of a listing, each. */
const MAX_FILES = 1_000

const REASONS: Readonly<Record<OpenErrorKind, string>> = {
  missing: 'gone',
  link: 'a link',
  folder: 'a folder',
  special: 'a device, a pipe or a socket',
  denied: 'no permission',
  replaced: 'replaced while it was read',
  system: 'unreadable',
}

/** A list in progress, of files that models may see or of withheld ones: each has limits of its own. */
interface PartialList {
  readonly files: FolderEntry[]
  readonly refused: FolderFiles['refused'][number][]
  folders: number
  isTooDeep: boolean
  isFull: boolean
}

/**
 * Lists the files in an open folder and below, in the order of their paths.
 * @param allowsHardLinks whether a file with several names on the disk is listed all the same
 * @throws {OpenError} the folder itself cannot be read; folders below are listed as refused
 */
export function listFiles(root: OpenFolder, allowsHardLinks: (path: string) => boolean): FolderListing {
  const visible = emptyList()
  const withheld = emptyList()

  const walk = (folder: OpenFolder, prefix: string, depth: number, parentList: PartialList): void => {
    for (const entry of inPathOrder(folder.entries())) {
      const list = isWithheld(entry.name) ? withheld : parentList
      if (isGitData(entry.name) || list.isFull) continue
      const path = prefix + entry.name
      try {
        addEntry(folder, entry, path, depth, list)
      } catch (error) {
        if (!(error instanceof OpenError)) throw error
        refuse(list, path, REASONS[error.kind])
      }
      if (parentList.isFull) return
    }
  }

  const addEntry = (folder: OpenFolder, entry: Dirent, path: string, depth: number, list: PartialList): void => {
    if (pathProblem(path) !== undefined || path.includes('\uFFFD')) {
      refuse(list, path, 'a name that cannot be passed as a path')
    } else if (isDependencyFolder(entry.name)) {
      refuse(list, path, 'not searched')
    } else if (!entry.isDirectory()) {
      const stats = folder.stat(entry.name)
      if (stats.isFile()) addFile(stats, path, list)
      else refuse(list, path, stats.isSymbolicLink() ? REASONS.link : REASONS.special)
    } else if (depth >= MAX_DEPTH) {
      list.isTooDeep = true
    } else if (hasRoom(list, list.folders)) {
      list.folders++
      const below = folder.folder(entry.name)
      try {
        walk(below, `${path}/`, depth + 1, list)
      } finally {
        below.close()
      }
    }
  }

  const addFile = ({ nlink, size, mode }: Stats, path: string, list: PartialList): void => {
    if (nlink > 1 && !allowsHardLinks(path)) refuse(list, path, 'a hard link')
    else if (hasRoom(list, list.files.length)) list.files.push({ path, size, executable: (mode & 0o111) !== 0 })
  }

  walk(root, '', 0, visible)
  return { ...filesOf(visible), withheld: filesOf(withheld) }
}

/** Folders and refusals are limited like files; otherwise a million empty folders would be read. */
function hasRoom(list: PartialList, count: number): boolean {
  if (count >= MAX_FILES) list.isFull = true
  return !list.isFull
}

function refuse(list: PartialList, path: string, reason: string): void {
  if (hasRoom(list, list.refused.length)) list.refused.push({ path, reason })
}

function emptyList(): PartialList {
  return { files: [], refused: [], folders: 0, isTooDeep: false, isFull: false }
}

function filesOf({ files, refused, isTooDeep, isFull }: PartialList): FolderFiles {
  return { files, truncated: isTooDeep || isFull, refused }
}

/** By code units, with "/" after a folder's name: read in this order, the files are in the order of their paths. */
function inPathOrder(entries: readonly Dirent[]): readonly Dirent[] {
  let last = ''
  for (const entry of entries) {
    const key = orderKey(entry)
    // Most systems return them nearly in this order.
    if (key < last) return entries.toSorted((a, b) => (orderKey(a) < orderKey(b) ? -1 : 1))
    last = key
  }
  return entries
}

function orderKey(entry: Dirent): string {
  return entry.isDirectory() ? `${entry.name}/` : entry.name
}
