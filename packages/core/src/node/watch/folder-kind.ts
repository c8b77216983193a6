import { lstatSync } from 'node:fs'
import type { Dirent } from 'node:fs'

/** What an entry of a folder is, as far as a watch needs to know. */
export type FolderKind = 'folder' | 'link' | 'other' | 'missing'

/** What the path is now. `missing` if that cannot be determined. */
export function kindOf(path: string): FolderKind {
  try {
    const stats = lstatSync(path)
    return stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'link' : 'other'
  } catch {
    return 'missing'
  }
}

export function entryKind(entry: Dirent): FolderKind {
  return entry.isDirectory() ? 'folder' : entry.isSymbolicLink() ? 'link' : 'other'
}

/** Whether a scan looks into a folder of this name. */
export function isWatchedName(name: string, hidden: boolean): boolean {
  return name !== '.git' && name !== 'node_modules' && (hidden || !name.startsWith('.'))
}
