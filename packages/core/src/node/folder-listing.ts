import type { Dirent, Stats } from 'node:fs'
import { isWithheld, pathProblem } from '../resources/path.ts'
import type { FolderEntry, FolderListing } from '../types.ts'
import { OpenFailure } from './open-failure.ts'
import type { OpenFailureKind } from './open-failure.ts'
import type { OpenFolder } from './safe-open.ts'

/** How deep a listing looks, in folders below the skill's own. */
const LISTING_DEPTH = 16

interface ListingRules {
  readonly maxFiles: number
  /** Whether the file may be read although it has other names on the disk. */
  readonly allowsHardLinks: (path: string) => boolean
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

/**
 * The files below an open folder, in the order of their paths.
 * @throws {OpenFailure} if the folder itself cannot be read; folders below are only reported
 */
export function listFiles(root: OpenFolder, { maxFiles, allowsHardLinks }: ListingRules): FolderListing {
  const files: FolderEntry[] = []
  const refused: FolderListing['refused'][number][] = []
  let folders = 0
  let truncated = false
  let full = false

  // Folders and refusals are bounded as files are, or a million empty folders would be walked.
  const hasRoom = (count: number): boolean => {
    if (count >= maxFiles) full = true
    return !full
  }
  const refuse = (path: string, reason: string): void => {
    if (hasRoom(refused.length)) refused.push({ path, reason })
  }

  const walk = (folder: OpenFolder, prefix: string, depth: number): void => {
    for (const entry of inPathOrder(folder.entries())) {
      if (isWithheld(entry.name)) continue
      const path = prefix + entry.name
      try {
        look(folder, entry, path, depth)
      } catch (error) {
        if (!(error instanceof OpenFailure)) throw error
        refuse(path, REASONS[error.kind])
      }
      if (full) return
    }
  }

  const look = (folder: OpenFolder, entry: Dirent, path: string, depth: number): void => {
    if (pathProblem(path) !== undefined || path.includes('\uFFFD')) {
      refuse(path, 'a name that cannot be passed as a path')
    } else if (!entry.isDirectory()) {
      lookAtFile(folder.stat(entry.name), path)
    } else if (depth >= LISTING_DEPTH) {
      truncated = true
    } else if (hasRoom(folders)) {
      folders++
      const below = folder.folder(entry.name)
      try {
        walk(below, `${path}/`, depth + 1)
      } finally {
        below.close()
      }
    }
  }

  const lookAtFile = (stats: Stats, path: string): void => {
    if (stats.isSymbolicLink()) refuse(path, REASONS.link)
    else if (!stats.isFile()) refuse(path, REASONS.special)
    else if (stats.nlink > 1 && !allowsHardLinks(path)) refuse(path, 'a hard link')
    else if (hasRoom(files.length)) files.push({ path, size: stats.size, executable: (stats.mode & 0o111) !== 0 })
  }

  walk(root, '', 0)
  return { files, truncated: truncated || full, refused }
}

/** By code units, a folder as if its name ended in "/": walked so, paths come out in the order of their own. */
function inPathOrder(entries: readonly Dirent[]): Dirent[] {
  return entries.toSorted((a, b) => (orderKey(a) < orderKey(b) ? -1 : 1))
}

function orderKey(entry: Dirent): string {
  return entry.isDirectory() ? `${entry.name}/` : entry.name
}
