import { lstatSync } from 'node:fs'
import type { Dirent } from 'node:fs'

/** What a name in a folder stands for, as far as a watch cares. */
export type FolderKind = 'folder' | 'link' | 'other' | 'missing'

/** What is there now. What cannot be told counts as missing. */
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

/** Whether a folder of this name is looked into by a scan. */
export function isWatchedName(name: string, hidden: boolean): boolean {
  return name !== '.git' && name !== 'node_modules' && (hidden || !name.startsWith('.'))
}
