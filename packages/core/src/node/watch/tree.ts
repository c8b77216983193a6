import { readdirSync, realpathSync, statSync, watch } from 'node:fs'
import type { Dirent, FSWatcher } from 'node:fs'
import { basename, sep } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'
import { childPath } from '../folder/child-path.ts'
import { entryKind, isWatchedName, kindOf } from './folder-kind.ts'
import type { FolderKind } from './folder-kind.ts'
import { isManifestName } from '../sources/other-spellings.ts'
import { errorCode } from '../folder/open-failure.ts'

/** Which folders are watched. */
export interface WatchedFolders {
  readonly depth: number
  readonly hidden: boolean
  readonly maxFolders: number
  readonly followLinks: boolean
}

/** What the watch of a folder and those below it tells. */
export interface TreeListener {
  changed(): void
  /** The root may be another folder now, or gone. */
  moved(): void
  /** The system gives no notices, or no more. Nothing is told afterwards. */
  failed(error: unknown): void
}

/** A watch of a folder and those below it. */
export interface TreeWatch {
  /** Fulfilled when every folder that is there is watched. */
  readonly ready: Promise<void>
  close(): void
}

interface Folder {
  readonly path: string
  readonly level: number
  /** Tells a folder that two links lead to; only where links are followed. */
  readonly id: string | undefined
  /** Absent: a link that is not followed, which is known so that its end is told. */
  watcher: FSWatcher | undefined
  readonly children: Map<string, Folder>
}

/** Why a folder is not watched, and that is all: it is gone, or closed to us, which the scan reports. */
const NOT_THERE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM'])

// So much work is done before the event loop has its turn, in milliseconds.
const SLICE = 8

/**
 * Watches each folder by itself, as deep as the scan looks and no deeper: the system's notices are bounded, and a
 * watch of everything below would spend them on the files of the skills.
 */
export function watchTree(real: string, rules: WatchedFolders, listener: TreeListener): TreeWatch {
  const { depth, hidden, maxFolders, followLinks } = rules
  const queue: { readonly parent: Folder | undefined; readonly path: string; readonly name: string }[] = []
  const seen = new Set<string>()
  let root: Folder | undefined
  let count = 0
  let isClosed = false
  let draining: Promise<void> | undefined

  const add = ({ parent, path, name }: (typeof queue)[number], kind: FolderKind): void => {
    // Its parent may have gone while it waited for its turn.
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
  const open = (path: string, level: number, isLink: boolean): Folder | undefined => {
    const bare = { level, watcher: undefined, children: new Map<string, Folder>() }
    if (isLink && !followLinks) return { ...bare, path, id: undefined }
    try {
      const target = isLink ? realpathSync.native(path) : path
      const stats = followLinks ? statSync(target, { bigint: true }) : undefined
      const id = stats === undefined ? undefined : `${stats.dev}:${stats.ino}`
      const isSeen = id !== undefined && seen.has(id)
      if (isSeen || count > maxFolders || stats?.isDirectory() === false) return { ...bare, path, id: undefined }
      const folder: Folder = { ...bare, path: target, id }
      folder.watcher = watch(target, { persistent: false }, (event, name) => heard(folder, name))
      folder.watcher.on('error', (error) => ended(folder, error))
      count++
      if (id !== undefined) seen.add(id)
      return folder
    } catch (error) {
      if (!NOT_THERE.has(errorCode(error))) fail(error)
      return undefined
    }
  }
  const drop = (folder: Folder): void => {
    if (folder.watcher !== undefined) {
      folder.watcher.close()
      folder.watcher = undefined
      count--
    }
    if (folder.id !== undefined) seen.delete(folder.id)
    for (const child of folder.children.values()) drop(child)
    folder.children.clear()
  }
  const heard = (folder: Folder, name: string | null): void => {
    if (isClosed || folder.watcher === undefined) return
    if (folder === root && (name === null || name === basename(real))) listener.moved()
    if (name === null || isManifestName(name)) listener.changed()
    if (folder.level >= depth) return
    if (name === null) {
      for (const entry of entriesOf(folder.path)) look(folder, entry.name)
    } else look(folder, name)
  }
  const look = (parent: Folder, name: string): void => {
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
      // Told when the new folders are watched, so that nothing that is written into them meanwhile is missed.
      void drain().then(() => isClosed || listener.changed())
    } else if (known !== undefined) listener.changed()
  }
  const ended = (folder: Folder, error: unknown): void => {
    if (isClosed) return
    if (!NOT_THERE.has(errorCode(error))) return fail(error)
    drop(folder)
    if (folder === root) listener.moved()
    listener.changed()
  }
  const drain = (): Promise<void> => (draining ??= work().finally(() => (draining = undefined)))
  const work = async (): Promise<void> => {
    let since = performance.now()
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (isClosed) return
      add(next, next.parent === undefined ? 'folder' : kindOf(next.path))
      if (performance.now() - since > SLICE) {
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

/** The same by one notice for the whole, on systems that have such: there, one for each folder is dear. */
export function watchWhole(real: string, rules: WatchedFolders, listener: TreeListener): TreeWatch {
  const { depth, hidden } = rules
  let watcher: FSWatcher | undefined
  const close = (): void => {
    watcher?.close()
    watcher = undefined
  }
  const heard = (path: string | null): void => {
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
    watcher = watch(real, { persistent: false, recursive: true }, (event, path) => heard(path))
    watcher.on('error', (error) => {
      const isGone = NOT_THERE.has(errorCode(error))
      close()
      if (!isGone) return listener.failed(error)
      listener.moved()
      listener.changed()
    })
  } catch (error) {
    if (!NOT_THERE.has(errorCode(error))) listener.failed(error)
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
