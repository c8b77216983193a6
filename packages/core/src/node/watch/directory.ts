import { realpathSync, statSync, watch } from 'node:fs'
import type { FSWatcher } from 'node:fs'
import { basename, dirname } from 'node:path'
import { platform } from 'node:process'
import { setImmediate } from 'node:timers/promises'
import type { DirectoryWatchOptions } from './options.ts'
import type { Diagnostic } from '../../ports/diagnostic.ts'
import type { SourceListener, SourceWatch } from '../../ports/source.ts'
import { pollFolders } from './poll.ts'
import { watchTree, watchWhole } from './tree.ts'
import type { WatchedFolders } from './tree.ts'
import { errorCode } from '../folder/open-failure.ts'

/** What a watch is told. All of it is checked before. */
export interface WatchSettings extends WatchedFolders {
  /** Absolute. It need not exist. */
  readonly root: string
  readonly trusted: boolean
  readonly watch: Required<DirectoryWatchOptions>
  /** Whether one notice is asked for the whole root. Default: on macOS and Windows, where links are not followed. */
  readonly whole?: boolean
}

/** A root that has changed so often is looked at again when it next changes. */
const MAX_TRIES = 20

/**
 * Watches a root that may not exist yet, or be removed and made again: beside its folders, each folder above it is
 * watched for the one name that leads to it. A root that is not trusted is not watched.
 *
 * Where the system has no more notices to give, all are given back, and the folders are looked at every so often.
 * None of it keeps the process alive.
 */
export async function watchDirectory(settings: WatchSettings, listener: SourceListener): Promise<SourceWatch> {
  const { root, trusted, watch: how, followLinks } = settings
  const watchFolders = (settings.whole ?? (platform !== 'linux' && !followLinks)) ? watchWhole : watchTree
  const guards: FSWatcher[] = []
  let folders: { close(): void } | undefined
  let known = ''
  let isClosed = !trusted
  let isPolling = false
  let isBegun = false
  let settling: Promise<void> | undefined

  const stop = (): void => {
    for (const guard of guards.splice(0)) guard.close()
    folders?.close()
    folders = undefined
  }
  const poll = async (): Promise<void> => {
    stop()
    isPolling = true
    const polled = pollFolders(root, settings, how.interval, () => listener.changed())
    folders = polled
    await polled.ready
  }
  const failed = (error: unknown): void => {
    if (isClosed || isPolling) return
    listener.diagnostic(limited(root, error, how.interval))
    settling = poll().then(() => void (isClosed || !isBegun || listener.changed()))
  }
  /** Watches the folders above the root, for the name of the next. */
  const guard = (): void => {
    for (const [above, name] of stepsTo(root)) {
      try {
        const watcher = watch(above, { persistent: false }, (event, found) => {
          if (found === null || found === name) moved()
        })
        watcher.on('error', () => moved())
        guards.push(watcher)
      } catch (error) {
        // What is not there, or closed to us, is not watched; what does not fit ends the watching.
        if (!UNWATCHED.has(errorCode(error))) return failed(error)
      }
    }
  }
  const isOver = (): boolean => isClosed || isPolling
  const settle = async (): Promise<void> => {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      if (isOver()) return
      const place = placeOf(root)
      stop()
      guard()
      if (isPolling) return
      if (place.real !== undefined) {
        const tree = watchFolders(place.real, settings, { changed: () => listener.changed(), moved, failed })
        if (isPolling) return
        folders = tree
        await tree.ready
      }
      // Something that came between the look and the watch was seen by neither.
      if (placeOf(root).key === place.key) {
        known = place.key
        return
      }
      await setImmediate()
    }
    known = ''
  }
  const moved = (): void => {
    if (isClosed || isPolling || settling !== undefined || placeOf(root).key === known) return
    settling = settle().then(() => {
      settling = undefined
      if (!isClosed) listener.changed()
      moved()
    })
  }

  if (trusted) {
    settling = how.by === 'polling' ? poll() : settle()
    await settling
    if (isPolling) await settling
    else settling = undefined
    isBegun = true
  }
  return {
    close() {
      isClosed = true
      stop()
      return Promise.resolve()
    },
  }
}

const UNWATCHED: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM'])

/** Each folder above a path with the name in it that leads there, the nearest first. */
function stepsTo(path: string): readonly (readonly [above: string, name: string])[] {
  const above = dirname(path)
  return above === path ? [] : [[above, basename(path)], ...stepsTo(above)]
}

/** Which folder the root is at this moment: another key, another folder. */
function placeOf(root: string): { readonly key: string; readonly real: string | undefined } {
  const key = [root, ...stepsTo(root).map(([above]) => above)].map(idOf).join(' ')
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

const LIMITS: ReadonlyMap<string, readonly [what: string, hint: string]> = new Map([
  [
    'ENOSPC',
    [
      'the system watches as many folders as it may',
      'Raise fs.inotify.max_user_watches (sysctl), lower the depth of the source, or ask for polling.',
    ],
  ],
  [
    'EMFILE',
    [
      'this process, or its user, may open no more watches or files',
      'Raise fs.inotify.max_user_instances (sysctl) or the number of open files (ulimit -n), or ask for polling.',
    ],
  ],
])

function limited(root: string, error: unknown, interval: number): Diagnostic {
  const code = errorCode(error) || 'unknown reason'
  const [what, hint] = LIMITS.get(code) ?? ['the system gives no notices here', 'Ask for polling, or mend the cause.']
  return {
    code: 'WATCH_LIMITED',
    severity: 'warning',
    path: root,
    message: `${root} is looked through every ${interval} ms for changes instead of being watched: ${what} (${code}).`,
    hint,
  }
}
