import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, realpathSync } from 'node:fs'
import type { Dirent } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'
import { childPath } from '../folder/child-path.ts'
import { entryKind, isWatchedName } from './folder-kind.ts'
import type { WatchedFolders } from './tree.ts'
import { isManifestName } from '../sources/other-spellings.ts'
import { errorCode } from '../folder/open-failure.ts'

/** A look at folders that is repeated. */
export interface FolderPoll {
  /** Fulfilled when the folders were looked at for the first time: what changes from then on is told. */
  readonly ready: Promise<void>
  close(): void
}

/** Compares folders and manifests with what they were, every so often: for where the system tells nothing. */
export function pollFolders(root: string, rules: WatchedFolders, interval: number, changed: () => void): FolderPoll {
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  const look = async (before: string | undefined): Promise<void> => {
    const now = await fingerprint(root, rules)
    if (isClosed) return
    if (before !== undefined && now !== before) changed()
    timer = setTimeout(() => void look(now), interval).unref()
  }
  return {
    ready: look(undefined),
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

// So much work is done before the event loop has its turn, in milliseconds.
const SLICE = 8

/** One value for all that a scan would find: every folder, and when and how its manifest was last changed. */
async function fingerprint(root: string, { depth, hidden, maxFolders, followLinks }: WatchedFolders): Promise<string> {
  const hash = createHash('sha256')
  const folders = [{ path: root, level: 0 }]
  let since = performance.now()
  for (let next = 0; next < folders.length && next <= maxFolders; next++) {
    const { path, level } = folders[next]!
    hash.update(`${path}\n${placeOf(path)}\n`)
    for (const entry of entriesOf(path)) {
      const { name } = entry
      const kind = entryKind(entry)
      const child = childPath(path, name)
      if (isManifestName(name)) hash.update(`${child}\n${stateOf(child)}\n`)
      else if (kind === 'other' || level >= depth || !isWatchedName(name, hidden)) continue
      else if (kind === 'folder' || followLinks) folders.push({ path: child, level: level + 1 })
      else hash.update(`${child}\n`)
    }
    if (performance.now() - since > SLICE) {
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

function placeOf(path: string): string {
  try {
    return realpathSync.native(path)
  } catch (error) {
    return errorCode(error)
  }
}

/** In the order of names, which a file system need not keep. */
function entriesOf(path: string): readonly Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}
