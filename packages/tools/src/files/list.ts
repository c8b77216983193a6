import type { Dirent } from 'node:fs'
import { OpenError, type OpenFolder } from '@repertoire/core/node'

/** An entry of a folder. */
export interface ListedEntry {
  /** Relative to the folder that was listed, `/` between parts. */
  readonly path: string
  readonly type: 'file' | 'folder' | 'link' | 'socket' | 'pipe' | 'device'
  /** Of a file, in bytes. */
  readonly size?: number
}

/** The entries of a folder, in the order of their names. */
export interface FolderEntries {
  readonly entries: readonly ListedEntry[]
  /** Whether there are more. */
  readonly truncated: boolean
}

const MAX_DEPTH = 64
const NOT_GONE_INTO: ReadonlySet<string> = new Set(['.git', 'node_modules'])

/** Lists a folder. Links are listed and not followed; the folders of git and of dependencies are not gone into. */
export function listFolder(folder: OpenFolder, recursive: boolean, maxEntries: number): FolderEntries {
  const entries: ListedEntry[] = []
  let truncated = false
  const walk = (current: OpenFolder, prefix: string, depth: number): void => {
    for (const entry of current.entries().toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      truncated ||= entries.length === maxEntries || depth > MAX_DEPTH
      if (truncated) return
      const { name } = entry
      const path = prefix + name
      entries.push({
        path,
        type: typeOf(entry),
        ...(entry.isFile() && { size: ifThere(() => current.stat(name).size) }),
      })
      if (!recursive || !entry.isDirectory() || NOT_GONE_INTO.has(name)) continue
      // A folder that is gone, closed to us or a link by now has no entries to show.
      const inner = ifThere(() => current.folder(name))
      try {
        if (inner !== undefined) walk(inner, `${path}/`, depth + 1)
      } finally {
        inner?.close()
      }
    }
  }
  walk(folder, '', 0)
  return { entries, truncated }
}

function typeOf(entry: Dirent): ListedEntry['type'] {
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'folder'
  if (entry.isSymbolicLink()) return 'link'
  if (entry.isSocket()) return 'socket'
  return entry.isFIFO() ? 'pipe' : 'device'
}

function ifThere<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof OpenError) return undefined
    throw error
  }
}
