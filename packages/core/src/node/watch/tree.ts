import { type Dirent, type FSWatcher, lstatSync, readdirSync, realpathSync, statSync, watch } from 'node:fs'
import { basename, sep } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'
import { errorCode } from '../folder/open-error.ts'
import { childPath, isManifestName } from '../folder/names.ts'

/** Which folders are watched. */
export interface WatchedFolders {
  readonly depth: number
  readonly hidden: boolean
  readonly maxFolders: number
  readonly followLinks: boolean
}

/** Is notified by the watch of a folder and its subfolders. */
export interface TreeListener {
  changed(): void
  /** The root may be another folder now, or gone. */
  moved(): void
  /** The system has no notifications, or no more. This is the last call. */
  failed(error: unknown): void
}

/** A watch of a folder and its subfolders. */
export interface TreeWatch {
  /** Resolves when every existing folder is watched. */
  readonly ready: Promise<void>
  close(): void
}

interface FolderNode {
  readonly path: string
  readonly level: number
  /** Identifies a folder to which two links lead; only if links are followed. */
  readonly id: string | undefined
  /** Absent: a link that is not followed, kept so that its removal is reported. */
  watcher: FSWatcher | undefined
  readonly children: Map<string, FolderNode>
}

/** Codes for a folder that is missing or not accessible: it is not watched, and the scan reports it. */
export const UNREACHABLE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM'])

// How long to work before yielding to the event loop.
const SLICE_MS = 8

/**
 * Watches each folder separately, only as deep as a scan looks: the number of watches is limited by the system, and a
 * recursive watch would spend them on the files of the skills.
 */
export function watchTree(real: string, rules: WatchedFolders, listener: TreeListener): TreeWatch {
  const { depth, hidden, maxFolders, followLinks } = rules
  const queue: { readonly parent: FolderNode | undefined; readonly path: string; readonly name: string }[] = []
  const seen = new Set<string>()
  let root: FolderNode | undefined
  let count = 0
  let isClosed = false
  let draining: Promise<void> | undefined

  const add = ({ parent, path, name }: (typeof queue)[number], kind: FolderKind): void => {
    // Its parent may have been removed while it was in the queue.
    if ((kind !== 'folder' && kind !== 'link') || (parent !== undefined && parent.watcher === undefined)) return
    const known = parent?.children.get(name)
    if (known !== undefined) drop(known)
    const folder = open(path, parent === undefined ? 0 : parent.level + 1, kind === 'link' && parent !== undefined)
    if (folder === undefined) return
    if (parent === undefined) root = folder
    else parent.children.set(name, folder)
    if (folder.watcher === undefined || folder.level >= depth) return
    for (const entry of entriesOf(folder.path)) {
      if (entryKind(entry) === 'other' || !isWatchedName(entry.name, hidden)) continue
      queue.push({ parent: folder, path: childPath(folder.path, entry.name), name: entry.name })
    }
  }
  const open = (path: string, level: number, isLink: boolean): FolderNode | undefined => {
    const bare = { level, watcher: undefined, children: new Map<string, FolderNode>() }
    if (isLink && !followLinks) return { ...bare, path, id: undefined }
    try {
      const target = isLink ? realpathSync.native(path) : path
      const stats = followLinks ? statSync(target, { bigint: true }) : undefined
      const id = stats === undefined ? undefined : `${stats.dev}:${stats.ino}`
      const isSeen = id !== undefined && seen.has(id)
      if (isSeen || count > maxFolders || stats?.isDirectory() === false) return { ...bare, path, id: undefined }
      const folder: FolderNode = { ...bare, path: target, id }
      folder.watcher = watch(target, { persistent: false }, (event, name) => handle(folder, name))
      folder.watcher.on('error', (error) => handleError(folder, error))
      count++
      if (id !== undefined) seen.add(id)
      return folder
    } catch (error) {
      if (!UNREACHABLE.has(errorCode(error))) fail(error)
      return undefined
    }
  }
  const drop = (folder: FolderNode): void => {
    if (folder.watcher !== undefined) {
      folder.watcher.close()
      folder.watcher = undefined
      count--
    }
    if (folder.id !== undefined) seen.delete(folder.id)
    for (const child of folder.children.values()) drop(child)
    folder.children.clear()
  }
  const handle = (folder: FolderNode, name: string | null): void => {
    if (isClosed || folder.watcher === undefined) return
    if (folder === root && (name === null || name === basename(real))) listener.moved()
    if (name === null || isManifestName(name)) listener.changed()
    if (folder.level >= depth) return
    if (name === null) {
      for (const entry of entriesOf(folder.path)) update(folder, entry.name)
    } else update(folder, name)
  }
  const update = (parent: FolderNode, name: string): void => {
    if (!isWatchedName(name, hidden)) return
    const path = childPath(parent.path, name)
    const kind = kindOf(path)
    const known = parent.children.get(name)
    if (known !== undefined) {
      parent.children.delete(name)
      drop(known)
    }
    if (kind === 'folder' || kind === 'link') {
      queue.push({ parent, path, name })
      // Reported once the new folders are watched, so that nothing written into them meanwhile is missed.
      void drain().then(() => isClosed || listener.changed())
    } else if (known !== undefined) listener.changed()
  }
  const handleError = (folder: FolderNode, error: unknown): void => {
    if (isClosed) return
    if (!UNREACHABLE.has(errorCode(error))) return fail(error)
    drop(folder)
    if (folder === root) listener.moved()
    listener.changed()
  }
  const drain = (): Promise<void> => (draining ??= emptyQueue().finally(() => (draining = undefined)))
  const emptyQueue = async (): Promise<void> => {
    let since = performance.now()
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (isClosed) return
      add(next, next.parent === undefined ? 'folder' : kindOf(next.path))
      if (performance.now() - since > SLICE_MS) {
        await setImmediate()
        since = performance.now()
      }
    }
  }
  const close = (): void => {
    isClosed = true
    queue.length = 0
    if (root !== undefined) drop(root)
  }
  const fail = (error: unknown): void => {
    if (isClosed) return
    close()
    listener.failed(error)
  }

  queue.push({ parent: undefined, path: real, name: '' })
  return { ready: drain(), close }
}

/** The same with one recursive watch, on systems that support it: there, a watch for each folder is expensive. */
export function watchRecursively(real: string, rules: WatchedFolders, listener: TreeListener): TreeWatch {
  const { depth, hidden } = rules
  let watcher: FSWatcher | undefined
  const close = (): void => {
    watcher?.close()
    watcher = undefined
  }
  const handle = (path: string | null): void => {
    if (watcher === undefined) return
    if (path === null || path === basename(real)) listener.moved()
    if (path === null) return listener.changed()
    const folders = path.split(sep)
    const last = folders.pop() ?? ''
    if (folders.length > depth || folders.some((name) => !isWatchedName(name, hidden))) return
    const isFolder = folders.length < depth && isWatchedName(last, hidden) && kindOf(childPath(real, path)) !== 'other'
    if (isManifestName(last) || isFolder) listener.changed()
  }
  try {
    watcher = watch(real, { persistent: false, recursive: true }, (event, path) => handle(path))
    watcher.on('error', (error) => {
      const isGone = UNREACHABLE.has(errorCode(error))
      close()
      if (!isGone) return listener.failed(error)
      listener.moved()
      listener.changed()
    })
  } catch (error) {
    if (!UNREACHABLE.has(errorCode(error))) listener.failed(error)
  }
  return { ready: Promise.resolve(), close }
}

function entriesOf(path: string): readonly Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch {
    return []
  }
}

/** What an entry of a folder is, as far as a watch needs to know. */
export type FolderKind = 'folder' | 'link' | 'other' | 'missing'

/** What the path is now. `missing` if that cannot be determined. */
function kindOf(path: string): FolderKind {
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
