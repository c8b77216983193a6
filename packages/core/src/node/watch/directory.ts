import { type FSWatcher, realpathSync, statSync, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import { platform } from 'node:process'
import { setImmediate } from 'node:timers/promises'
import type { Diagnostic, WithDefaults } from '@repertoire/skill-md/internal'
import type { SourceListener, SourceWatch } from '../../ports/source.ts'
import { errorCode } from '../folder/open-error.ts'
import { pollFolders } from './poll.ts'
import { UNREACHABLE, type WatchedFolders, watchRecursively, watchTree } from './tree.ts'

/** Options of `watchDirectory`, already checked. */
export interface WatchSettings extends WatchedFolders {
  /** Absolute. It need not exist. */
  readonly root: string
  readonly trusted: boolean
  readonly watch: WithDefaults<DirectoryWatchOptions>
  /** Whether one recursive watch is used. Default: on macOS and Windows, if links are not followed. */
  readonly recursive?: boolean
}

/** A root that changes this often while its watches are set up is examined again at its next change. */
const MAX_TRIES = 20

/**
 * Watches a root that may not exist yet, or may be removed and created again: besides its folders, each parent folder is
 * watched for the one name that leads to the root. A root that is not trusted is not watched.
 *
 * If the system runs out of watches, all of them are closed and the folders are polled instead. Nothing here keeps the
 * process alive.
 */
export async function watchDirectory(settings: WatchSettings, listener: SourceListener): Promise<SourceWatch> {
  const { root, trusted, watch: options, followLinks } = settings
  const watchFolders = (settings.recursive ?? (platform !== 'linux' && !followLinks)) ? watchRecursively : watchTree
  const parentWatchers: FSWatcher[] = []
  let folders: { close(): void } | undefined
  let watchedKey = ''
  let isClosed = !trusted
  let isPolling = false
  let isReady = false
  let starting: Promise<void> | undefined

  const stop = (): void => {
    for (const watcher of parentWatchers.splice(0)) watcher.close()
    folders?.close()
    folders = undefined
  }
  const poll = async (): Promise<void> => {
    stop()
    isPolling = true
    const polled = pollFolders(root, settings, options.interval, () => listener.changed())
    folders = polled
    await polled.ready
  }
  const failed = (error: unknown): void => {
    if (isClosed || isPolling) return
    listener.diagnostic(limited(root, error, options.interval))
    starting = poll().then(() => void (isClosed || !isReady || listener.changed()))
  }
  /** Watches the parent folders of the root, each for the name that leads to it. */
  const watchParents = (): void => {
    for (const { parent, name } of parentSteps(root)) {
      try {
        const watcher = watch(parent, { persistent: false }, (event, found) => {
          if (found === null || found === name) moved()
        })
        watcher.on('error', () => moved())
        parentWatchers.push(watcher)
      } catch (error) {
        // A missing or inaccessible folder is not watched; any other error means that watching is not possible.
        if (!UNREACHABLE.has(errorCode(error))) return failed(error)
      }
    }
  }
  const isStopped = (): boolean => isClosed || isPolling
  const watchRoot = async (): Promise<void> => {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      if (isStopped()) return
      const place = locate(root)
      stop()
      watchParents()
      if (isPolling) return
      if (place.real !== undefined) {
        const tree = watchFolders(place.real, settings, { changed: () => listener.changed(), moved, failed })
        if (isPolling) return
        folders = tree
        await tree.ready
      }
      // A change between `locate` and the watch was seen by neither.
      if (locate(root).key === place.key) {
        watchedKey = place.key
        return
      }
      await setImmediate()
    }
    watchedKey = ''
  }
  const moved = (): void => {
    if (isClosed || isPolling || starting !== undefined || locate(root).key === watchedKey) return
    starting = watchRoot().then(() => {
      starting = undefined
      if (!isClosed) listener.changed()
      moved()
    })
  }

  if (trusted) {
    starting = options.by === 'polling' ? poll() : watchRoot()
    await starting
    if (isPolling) await starting
    else starting = undefined
    isReady = true
  }
  return {
    close() {
      isClosed = true
      stop()
      return Promise.resolve()
    },
  }
}

/** The parent folders of a path, the nearest first. */
function parentSteps(path: string): readonly { readonly parent: string; readonly name: string }[] {
  const parent = dirname(path)
  return parent === path ? [] : [{ parent, name: basename(path) }, ...parentSteps(parent)]
}

/** Which folder the root currently is: a different key means a different folder. */
function locate(root: string): { readonly key: string; readonly real: string | undefined } {
  const key = [root, ...parentSteps(root).map(({ parent }) => parent)].map(idOf).join(' ')
  try {
    const real = realpathSync.native(root)
    return { key: `${key} ${real}`, real: statSync(real).isDirectory() ? real : undefined }
  } catch {
    return { key, real: undefined }
  }
}

function idOf(path: string): string {
  try {
    const { dev, ino, birthtimeNs } = statSync(path, { bigint: true })
    return `${dev}:${ino}:${birthtimeNs}`
  } catch (error) {
    return errorCode(error)
  }
}

/** Why there are no watches, and what to do, by error code. */
const LIMITS: ReadonlyMap<string, readonly [reason: string, hint: string]> = new Map([
  [
    'ENOSPC',
    [
      "the system's limit of watched folders is reached",
      'Raise fs.inotify.max_user_watches (sysctl), lower the depth of the source, or ask for polling.',
    ],
  ],
  [
    'EMFILE',
    [
      'the limit of watches or open files of this process or its user is reached',
      'Raise fs.inotify.max_user_instances (sysctl) or the number of open files (ulimit -n), or ask for polling.',
    ],
  ],
])

function limited(root: string, error: unknown, interval: number): Diagnostic {
  const code = errorCode(error) || 'unknown reason'
  const [reason, hint] = LIMITS.get(code) ?? [
    'the system does not report changes here',
    'Ask for polling, or fix the cause.',
  ]
  return {
    code: 'WATCH_LIMITED',
    severity: 'warning',
    path: root,
    message: `${root} is scanned for changes every ${interval} ms instead of being watched: ${reason} (${code}).`,
    hint,
  }
}

/** Options of watching a directory. */
export interface DirectoryWatchOptions {
  /**
   * `events` (default): by the system's notifications. `polling`: by comparing at intervals, for folders on a network or
   * in a container, where notifications may be missing without an error.
   */
  readonly by?: 'events' | 'polling' | undefined
  /** Time between two comparisons, in milliseconds. Default 2,000. Also used when the system has no more notifications. */
  readonly interval?: number | undefined
}

/** The default of `DirectoryWatchOptions.interval`. */
export const DEFAULT_INTERVAL_MS = 2_000
