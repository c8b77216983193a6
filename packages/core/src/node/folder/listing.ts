import { closeSync, type Dirent, type Stats, readSync } from 'node:fs'
import { isGitData, isDependencyFolder, isWithheld, pathProblem } from '../../resources/path.ts'
import type { FolderEntry, FolderFiles, FolderListing } from '@repertoire/skill-md/internal'
import { OpenError, type OpenErrorKind } from './open-error.ts'
import type { OpenFile, OpenFolder } from './safe-open.ts'
import { hash } from 'node:crypto'

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
  /** Whether there are folders below the greatest depth. */
  isTooDeep: boolean
  /** Whether a limit was reached, so that nothing more is added. */
  isFull: boolean
}

/**
 * Lists the files in an open folder and below, in the order of their paths.
 * @throws {OpenError} the folder itself cannot be read; folders below are listed as refused
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
    if (error instanceof OpenError) return undefined
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

/** Hashes the files of one folder while it is listed. */
export interface FileHasher {
  /** SHA-256, hex, of each file that was hashed, by path. */
  readonly hashes: ReadonlyMap<string, string>
  /**
   * Hashes a file, unless it is large, all together would be, or it changes meanwhile: a caller that needs the hash then
   * reads the file in a way that lets others have their turn.
   */
  readonly see: (path: string, file: OpenFile) => void
}

// In bytes: what a file may hold, and all of them together, to be hashed in place. That takes a few milliseconds.
const FILE_BYTES = 256 * 1024
const FOLDER_BYTES = 4 * 1024 * 1024

/** SHA-256, hex, by the machine's own means. */
export function sha256(data: Uint8Array | string): string {
  return hash('sha256', data, 'hex')
}

/** For small files of all folders: each is read and hashed in one go, so that no two are ever in it. */
const SHARED = new Uint8Array(32 * 1024)

/** All files are read into the same memory. */
export function createFileHasher(): FileHasher {
  const hashes = new Map<string, string>()
  let memory = SHARED
  let left = FOLDER_BYTES
  return {
    hashes,
    see(path, { fd, stats: { size } }) {
      if (size > FILE_BYTES || size > left) return
      left -= size
      if (memory.length <= size) memory = new Uint8Array(FILE_BYTES + 1)
      // A byte more than it should hold tells whether it grew.
      if (readWhole(fd, memory, size + 1) === size) hashes.set(path, sha256(memory.subarray(0, size)))
    },
  }
}

/** How many bytes there were, up to `want`; -1 if they cannot be read. */
function readWhole(fd: number, memory: Uint8Array, want: number): number {
  let length = 0
  try {
    for (;;) {
      const got = readSync(fd, memory, length, want - length, length)
      length += got
      // A regular file gives less than was asked for at its end alone, or else the next read gives more.
      if (got === 0 || length >= want - 1) return length
    }
  } catch {
    return -1
  }
}
