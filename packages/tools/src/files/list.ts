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

/** Lists a folder. Links are listed and not followed; the folders of git and of dependencies are not gone into. */
export function listFolder(folder: OpenFolder, recursive: boolean, maxEntries: number): FolderEntries {
  const entries: ListedEntry[] = []
  let truncated = false
  const walk = (current: OpenFolder, prefix: string, depth: number): void => {
    for (const entry of current.entries().toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entries.length === maxEntries) {
        truncated = true
        return
      }
      entries.push(describeEntry(current, entry, prefix))
      if (!recursive || !entry.isDirectory() || entry.name === '.git' || entry.name === 'node_modules') continue
      if (depth === MAX_DEPTH) truncated = true
      else below(current, entry.name, (inner) => walk(inner, `${prefix}${entry.name}/`, depth + 1))
      if (truncated) return
    }
  }
  walk(folder, '', 0)
  return { entries, truncated }
}

function describeEntry(folder: OpenFolder, entry: Dirent, prefix: string): ListedEntry {
  const path = prefix + entry.name
  if (entry.isDirectory()) return { path, type: 'folder' }
  if (entry.isSymbolicLink()) return { path, type: 'link' }
  if (!entry.isFile()) return { path, type: entry.isSocket() ? 'socket' : entry.isFIFO() ? 'pipe' : 'device' }
  const size = ifThere(() => folder.stat(entry.name).size)
  return { path, type: 'file', size }
}

/** A folder that is gone, closed to us or a link by now has no entries to show. */
function below(folder: OpenFolder, name: string, work: (inner: OpenFolder) => void): void {
  const inner = ifThere(() => folder.folder(name))
  try {
    if (inner !== undefined) work(inner)
  } finally {
    inner?.close()
  }
}

function ifThere<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof OpenError) return undefined
    throw error
  }
}
