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

/** Fills in the defaults. */
export function watchOptions({
  by = 'events',
  interval = DEFAULT_INTERVAL_MS,
}: DirectoryWatchOptions = {}): Required<DirectoryWatchOptions> {
  return { by, interval }
}
