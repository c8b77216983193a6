import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, realpathSync } from 'node:fs'
import type { Dirent } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'
import { errorCode } from '../folder/open-error.ts'
import { childPath, isManifestName } from '../folder/names.ts'
import { entryKind, isWatchedName, type WatchedFolders } from './tree.ts'

/** Repeated comparison of folders with their last state. */
export interface FolderPoll {
  /** Resolves when the folders were read for the first time: later changes are reported. */
  readonly ready: Promise<void>
  close(): void
}

/** Compares folders and manifests with their last state at intervals, for systems without notifications. */
export function pollFolders(root: string, rules: WatchedFolders, interval: number, changed: () => void): FolderPoll {
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  const compare = async (before: string | undefined): Promise<void> => {
    const now = await fingerprint(root, rules)
    if (isClosed) return
    if (before !== undefined && now !== before) changed()
    timer = setTimeout(() => void compare(now), interval).unref()
  }
  return {
    ready: compare(undefined),
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

// How long to work before yielding to the event loop.
const SLICE_MS = 8

/** One value for everything that a scan would find: every folder, and the state of its manifest. */
async function fingerprint(root: string, { depth, hidden, maxFolders, followLinks }: WatchedFolders): Promise<string> {
  const hash = createHash('sha256')
  const folders = [{ path: root, level: 0 }]
  let since = performance.now()
  for (let next = 0; next < folders.length && next <= maxFolders; next++) {
    const { path, level } = folders[next]!
    hash.update(`${path}\n${realPathOf(path)}\n`)
    for (const entry of entriesOf(path)) {
      const { name } = entry
      const kind = entryKind(entry)
      const child = childPath(path, name)
      if (isManifestName(name)) hash.update(`${child}\n${stateOf(child)}\n`)
      else if (kind === 'other' || level >= depth || !isWatchedName(name, hidden)) continue
      else if (kind === 'folder' || followLinks) folders.push({ path: child, level: level + 1 })
      else hash.update(`${child}\n`)
    }
    if (performance.now() - since > SLICE_MS) {
      await setImmediate()
      since = performance.now()
    }
  }
  return hash.digest('hex')
}

function stateOf(path: string): string {
  try {
    const { dev, ino, mode, size, mtimeNs, ctimeNs } = lstatSync(path, { bigint: true })
    return [dev, ino, mode, size, mtimeNs, ctimeNs].join(' ')
  } catch (error) {
    return errorCode(error)
  }
}

function realPathOf(path: string): string {
  try {
    return realpathSync.native(path)
  } catch (error) {
    return errorCode(error)
  }
}

/** Sorted by name, since file systems return them in any order. */
function entriesOf(path: string): readonly Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}
