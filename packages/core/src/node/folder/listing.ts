import { closeSync } from 'node:fs'
import type { Dirent, Stats } from 'node:fs'
import { isBookkeeping, isUncovered, isWithheld, pathProblem } from '../../resources/path.ts'
import type { FolderEntry, FolderFiles, FolderListing } from '../../ports/folder.ts'
import { OpenFailure } from './open-failure.ts'
import type { OpenFailureKind } from './open-failure.ts'
import type { OpenFile, OpenFolder } from './safe-open.ts'

/** How deep a listing looks, in folders below the skill's own. */
const LISTING_DEPTH = 16

interface ListingRules {
  readonly maxFiles: number
  /** Whether the file may be read although it has other names on the disk. */
  readonly allowsHardLinks: (path: string) => boolean
  /** Is shown listed files, opened. Without it none is opened. */
  readonly see?: (path: string, file: OpenFile) => void
  /** A regular file that was read already. It is listed as what was read, and not opened again. */
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

/** What was found so far, of what is shown or of what is withheld: each has its own bounds. */
interface Found {
  readonly files: FolderEntry[]
  readonly refused: FolderFiles['refused'][number][]
  folders: number
  /** Whether something lies deeper than is looked. */
  deeper: boolean
  /** Whether a bound was met: nothing more is looked at. */
  full: boolean
}

/**
 * The files below an open folder, in the order of their paths.
 * @throws {OpenFailure} if the folder itself cannot be read; folders below are only reported
 */
export function listFiles(root: OpenFolder, { maxFiles, allowsHardLinks, see, read }: ListingRules): FolderListing {
  const shown = nothingFound()
  const withheld = nothingFound()

  // Folders and refusals are bounded as files are, or a million empty folders would be walked.
  const hasRoom = (found: Found, count: number): boolean => {
    if (count >= maxFiles) found.full = true
    return !found.full
  }
  const refuse = (found: Found, path: string, reason: string): void => {
    if (hasRoom(found, found.refused.length)) found.refused.push({ path, reason })
  }

  const walk = (folder: OpenFolder, prefix: string, depth: number, above: Found): void => {
    for (const entry of inPathOrder(folder.entries())) {
      const found = isWithheld(entry.name) ? withheld : above
      if (isBookkeeping(entry.name) || found.full) continue
      const path = prefix + entry.name
      try {
        look(folder, entry, path, depth, found)
      } catch (error) {
        if (!(error instanceof OpenFailure)) throw error
        refuse(found, path, REASONS[error.kind])
      }
      if (above.full) return
    }
  }

  const look = (folder: OpenFolder, entry: Dirent, path: string, depth: number, found: Found): void => {
    if (pathProblem(path) !== undefined || path.includes('\uFFFD')) {
      refuse(found, path, 'a name that cannot be passed as a path')
    } else if (isUncovered(entry.name)) {
      refuse(found, path, 'not looked into')
    } else if (entry.isFile()) {
      if (path === read?.path) return void lookAtFile(read.stats, path, found)
      const file = see === undefined ? undefined : openIfPossible(folder, entry.name)
      if (file === undefined) return lookAt(folder, entry.name, path, found)
      try {
        if (lookAtFile(file.stats, path, found)) see!(path, file)
      } finally {
        closeSync(file.fd)
      }
    } else if (!entry.isDirectory()) {
      // Nothing but a plain file is opened: to open a device may set it off.
      lookAt(folder, entry.name, path, found)
    } else if (depth >= LISTING_DEPTH) {
      found.deeper = true
    } else if (hasRoom(found, found.folders)) {
      found.folders++
      const below = folder.folder(entry.name)
      try {
        walk(below, `${path}/`, depth + 1, found)
      } finally {
        below.close()
      }
    }
  }

  /** What is seen of it from outside. */
  const lookAt = (folder: OpenFolder, name: string, path: string, found: Found): void => {
    const stats = folder.stat(name)
    if (stats.isSymbolicLink()) refuse(found, path, REASONS.link)
    else if (!stats.isFile()) refuse(found, path, REASONS.special)
    else lookAtFile(stats, path, found)
  }

  const lookAtFile = ({ nlink, size, mode }: Stats, path: string, found: Found): boolean => {
    if (nlink > 1 && !allowsHardLinks(path)) {
      refuse(found, path, 'a hard link')
      return false
    }
    if (!hasRoom(found, found.files.length)) return false
    found.files.push({ path, size, executable: (mode & 0o111) !== 0 })
    return true
  }

  walk(root, '', 0, shown)
  const { files, truncated, refused } = filesOf(shown)
  return { files, truncated, refused, withheld: filesOf(withheld) }
}

/** Nothing: it is listed as what it is seen to be from outside. */
function openIfPossible(folder: OpenFolder, name: string): OpenFile | undefined {
  try {
    return folder.file(name)
  } catch (error) {
    if (error instanceof OpenFailure) return undefined
    throw error
  }
}

function nothingFound(): Found {
  return { files: [], refused: [], folders: 0, deeper: false, full: false }
}

function filesOf({ files, refused, deeper, full }: Found): FolderFiles {
  return { files, truncated: deeper || full, refused }
}

/** By code units, a folder as if its name ended in "/": walked so, paths come out in the order of their own. */
function inPathOrder(entries: readonly Dirent[]): readonly Dirent[] {
  let last = ''
  for (const entry of entries) {
    const key = orderKey(entry)
    // Most systems give them in an order that is nearly this one.
    if (key < last) return entries.toSorted((a, b) => (orderKey(a) < orderKey(b) ? -1 : 1))
    last = key
  }
  return entries
}

function orderKey(entry: Dirent): string {
  return entry.isDirectory() ? `${entry.name}/` : entry.name
}
