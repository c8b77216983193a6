import type { Stats } from 'node:fs'
import { dirname, relative, sep } from 'node:path'
import type { Diagnostic, WithDefaults } from '@repertoire/skill-md/internal'
import type { FSWatcher } from 'chokidar'
import type { SourceListener, SourceWatch } from '../../ports/source.ts'
import { isManifestName, isSearchedName } from '../folder/names.ts'
import { errorCode } from '../folder/open-error.ts'

/** Options of watching a directory. */
export interface DirectoryWatchOptions {
  /**
   * `events` (default): by the system's notifications. `polling`: by comparing at intervals, for folders on a network
   * or in a container, where notifications may be missing without an error.
   */
  readonly by?: 'events' | 'polling' | undefined
  /**
   * Time between two comparisons, in milliseconds. Default 2,000. Also used when the system has no more notifications.
   */
  readonly interval?: number | undefined
}

/** The default of `DirectoryWatchOptions.interval`. */
export const DEFAULT_INTERVAL_MS = 2_000

/** When a change is looked at again: chokidar reports what is new before it watches it, and misses some changes. */
const AGAIN_MS = 500

export interface WatchSettings {
  /** Absolute. It need not exist. */
  readonly root: string
  readonly depth: number
  readonly hidden: boolean
  readonly followLinks: boolean
  readonly trusted: boolean
  readonly watch: WithDefaults<DirectoryWatchOptions>
}

/**
 * Watches the folders and manifests that a scan of the root reads. A root that is not trusted is not watched.
 *
 * If the system runs out of watches, the folders are polled instead. Nothing here keeps the process alive.
 */
export async function watchDirectory(settings: WatchSettings, listener: SourceListener): Promise<SourceWatch> {
  const { root, trusted, watch: options } = settings
  if (!trusted) return { close: () => Promise.resolve() }
  const { watch } = await import('chokidar')
  const { promise: ready, resolve: setReady } = Promise.withResolvers<void>()
  let again: NodeJS.Timeout | undefined

  const open = (backend: 'native' | 'polling'): FSWatcher => {
    // The parent folder is watched, since a root that is replaced at once, or a link to it, is only seen there.
    const opened = watch(dirname(root), {
      backend,
      pollingInterval: options.interval,
      ignored: (path, stats) => !isScanned(path, stats, settings),
      ignoreInitial: true,
      ignorePermissionErrors: true,
      persistent: false,
      atomic: false,
    })
    opened.on('all', () => {
      listener.changed()
      clearTimeout(again)
      again = setTimeout(() => listener.changed(), AGAIN_MS).unref()
    })
    opened.on('ready', setReady)
    opened.on('error', (error) => {
      if (backend === 'polling') return
      listener.diagnostic(limited(root, error, options.interval))
      void opened.close()
      watcher = open('polling').on('ready', () => listener.changed())
    })
    return opened
  }
  let watcher = open(options.by === 'polling' ? 'polling' : 'native')
  await ready
  return {
    close() {
      clearTimeout(again)
      return watcher.close()
    },
  }
}

/**
 * Returns whether a scan of the root depends on a path. `stats` are missing while its type is unknown; those of a link
 * are its own. The depth is not left to chokidar, which counts it from another folder while the root is missing.
 */
function isScanned(path: string, stats: Stats | undefined, settings: WatchSettings): boolean {
  const { root, depth, hidden, followLinks } = settings
  const names = relative(root, path).split(sep)
  if (names[0] === '..') return names.length === 1
  const isManifest = isManifestName(names.at(-1)!)
  if (stats?.isFile() === true && !isManifest) return false
  const folders = isManifest ? names.slice(0, -1) : names
  const isRoot = names[0] === ''
  if (isRoot) return true
  if (stats?.isSymbolicLink() === true && !followLinks) return false
  return folders.length <= depth && folders.every((name) => isSearchedName(name, hidden))
}

function limited(root: string, error: unknown, interval: number): Diagnostic {
  return {
    code: 'WATCH_LIMITED',
    severity: 'warning',
    path: root,
    message: `${root} is scanned for changes every ${interval} ms: the system does not watch it (${errorCode(error) || 'unknown reason'}).`,
    hint: 'Raise fs.inotify.max_user_watches and max_user_instances (sysctl) or the number of open files (ulimit -n), or ask for polling.',
  }
}
