import { MAX_TIMER_MS } from '../../ports/limits.ts'

/** Options of watching a directory. */
export interface DirectoryWatchOptions {
  /**
   * `events` (default): by the system's notifications. `polling`: by comparing at intervals, for folders on a network or
   * in a container, where notifications may be missing without an error.
   */
  readonly by?: 'events' | 'polling'
  /** Time between two comparisons, in milliseconds. Default 2,000. Also used when the system has no more notifications. */
  readonly interval?: number
}

/** The default of `DirectoryWatchOptions.interval`. */
const DEFAULT_INTERVAL_MS = 2_000

/** @throws {TypeError} an option does not have the shape named there */
export function watchOptions({
  by = 'events',
  interval = DEFAULT_INTERVAL_MS,
}: DirectoryWatchOptions = {}): Required<DirectoryWatchOptions> {
  if (by !== 'events' && by !== 'polling') {
    throw new TypeError('directorySource: watch.by is "events" or "polling".')
  }
  if (!(interval > 0 && interval <= MAX_TIMER_MS)) {
    throw new TypeError(`directorySource: watch.interval is more than 0 and at most ${MAX_TIMER_MS} milliseconds.`)
  }
  return { by, interval }
}
