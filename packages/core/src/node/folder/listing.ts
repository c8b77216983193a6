import { closeSync } from 'node:fs'
import type { Dirent, Stats } from 'node:fs'
import { isGitData, isDependencyFolder, isWithheld, pathProblem } from '../../resources/path.ts'
import type { FolderEntry, FolderFiles, FolderListing } from '@repertoire/skill-md/internal'
import { OpenFailure } from './open-failure.ts'
import type { OpenFailureKind } from './open-failure.ts'
import type { OpenFile, OpenFolder } from './safe-open.ts'

/** In folders below the skill's own. */
const MAX_DEPTH = 16

interface ListingRules {
  readonly maxFiles: number
  /** Whether a file with several names on the disk is listed all the same. */
  readonly allowsHardLinks: (path: string) => boolean
  /** Called with every listed file, opened. Without it no file is opened. */
  readonly see?: (path: string, file: OpenFile) => void
  /** A regular file that was already read: it is listed as it was then, and not opened again. */
  readonly read?: { readonly path: string; readonly stats: Stats }
}

const REASONS: Readonly<Record<OpenFailureKind, string>> = {
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
  /** Whether there are folders below the greatest depth. */
  isTooDeep: boolean
  /** Whether a limit was reached, so that nothing more is added. */
  isFull: boolean
}

/**
 * Lists the files in an open folder and below, in the order of their paths.
 * @throws {OpenFailure} the folder itself cannot be read; folders below are listed as refused
 */
export function listFiles(root: OpenFolder, { maxFiles, allowsHardLinks, see, read }: ListingRules): FolderListing {
  const visible = emptyList()
  const withheld = emptyList()

  // Folders and refusals are limited like files; otherwise a million empty folders would be read.
  const hasRoom = (list: PartialList, count: number): boolean => {
    if (count >= maxFiles) list.isFull = true
    return !list.isFull
  }
  const refuse = (list: PartialList, path: string, reason: string): void => {
    if (hasRoom(list, list.refused.length)) list.refused.push({ path, reason })
  }

  const walk = (folder: OpenFolder, prefix: string, depth: number, parentList: PartialList): void => {
    for (const entry of inPathOrder(folder.entries())) {
      const list = isWithheld(entry.name) ? withheld : parentList
      if (isGitData(entry.name) || list.isFull) continue
      const path = prefix + entry.name
      try {
        addEntry(folder, entry, path, depth, list)
      } catch (error) {
        if (!(error instanceof OpenFailure)) throw error
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
    } else if (entry.isFile()) {
      if (path === read?.path) return void addFile(read.stats, path, list)
      const file = see === undefined ? undefined : openIfPossible(folder, entry.name)
      if (file === undefined) return addUnopened(folder, entry.name, path, list)
      try {
        if (addFile(file.stats, path, list)) see!(path, file)
      } finally {
        closeSync(file.fd)
      }
    } else if (!entry.isDirectory()) {
      // Only regular files are opened: opening a device may trigger it.
      addUnopened(folder, entry.name, path, list)
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

  const addUnopened = (folder: OpenFolder, name: string, path: string, list: PartialList): void => {
    const stats = folder.stat(name)
    if (stats.isSymbolicLink()) refuse(list, path, REASONS.link)
    else if (!stats.isFile()) refuse(list, path, REASONS.special)
    else addFile(stats, path, list)
  }

  const addFile = ({ nlink, size, mode }: Stats, path: string, list: PartialList): boolean => {
    if (nlink > 1 && !allowsHardLinks(path)) {
      refuse(list, path, 'a hard link')
      return false
    }
    if (!hasRoom(list, list.files.length)) return false
    list.files.push({ path, size, executable: (mode & 0o111) !== 0 })
    return true
  }

  walk(root, '', 0, visible)
  return { ...filesOf(visible), withheld: filesOf(withheld) }
}

/** Returns undefined if the file cannot be opened: it is then listed by its entry alone. */
function openIfPossible(folder: OpenFolder, name: string): OpenFile | undefined {
  try {
    return folder.file(name)
  } catch (error) {
    if (error instanceof OpenFailure) return undefined
    throw error
  }
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
