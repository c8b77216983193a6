import { MAX_TIMER_MS } from '../../ports/limits.ts'

/** How a directory is watched. */
export interface DirectoryWatchOptions {
  /**
   * `events` (default): by the system's notices. `polling`: by looking every so often, for folders on a network or in
   * a container, of which the system gives no notices and does not say so.
   */
  readonly by?: 'events' | 'polling'
  /** How long is waited between two looks, in milliseconds. Default 2,000. Also where notices are used up. */
  readonly interval?: number
}

/** The default of `DirectoryWatchOptions.interval`. */
const INTERVAL = 2_000
/** @throws {TypeError} an option does not have the shape named there */
export function watchOptions({
  by = 'events',
  interval = INTERVAL,
}: DirectoryWatchOptions = {}): Required<DirectoryWatchOptions> {
  if (by !== 'events' && by !== 'polling') {
    throw new TypeError('directorySource: watch.by is "events" or "polling".')
  }
  if (!(interval > 0 && interval <= MAX_TIMER_MS)) {
    throw new TypeError(`directorySource: watch.interval is more than 0 and at most ${MAX_TIMER_MS} milliseconds.`)
  }
  return { by, interval }
}
