import type { Diagnostic } from '@repertoire/skill-md/internal'
import type { Catalog } from './catalog.ts'

/** The result of a reload. */
export interface ReloadResult {
  /** Whether the last reload was too recent. True: the catalog is unchanged. */
  readonly skipped: boolean
  /** The names of skills that cannot be read any more and are kept in their last readable version. */
  readonly kept: readonly string[]
  /** All diagnostics of the current catalog. */
  readonly diagnostics: readonly Diagnostic[]
}

/** Called with every new snapshot. An error that it throws is an uncaught error and does not stop other listeners. */
export type ReloadListener = (result: ReloadResult) => void

/** Options of the reloads. */
export interface SnapshotOptions {
  /**
   * How long after a reload further ones are skipped, in milliseconds, unless they are forced. Default 60,000.
   */
  readonly minReloadInterval?: number | undefined
  /** A monotonic clock, in milliseconds. Default `performance.now`. */
  readonly now?: (() => number) | undefined
}

export type Snapshots = Awaited<ReturnType<typeof openSnapshots>>

const MIN_RELOAD_INTERVAL_MS = 60_000

/**
 * Builds the first snapshot. Each later one is built while the current one stays in use and then replaces it in one
 * step, so that a reader always sees a complete snapshot.
 * @param build builds a snapshot of the sources, given the previous one
 */
export async function openSnapshots(
  build: (former?: Catalog) => Promise<Catalog>,
  { minReloadInterval = MIN_RELOAD_INTERVAL_MS, now = () => performance.now() }: SnapshotOptions,
) {
  const reported = new Map<string, Diagnostic>()
  const listeners = new Set<ReloadListener>()
  let built = await build()
  let current = built
  let last = now()
  let isOutdated = false
  /** A build that has begun. It may miss changes made after that. */
  let running: Promise<ReloadResult> | undefined
  /** The next build: every reload that is requested before it begins shares it. */
  let waiting: Promise<ReloadResult> | undefined

  const swap = (next: Catalog): ReloadResult => {
    built = next
    current = Object.freeze({ ...built, diagnostics: [...built.diagnostics, ...reported.values()] })
    const result = resultOf(current, false)
    // A copy: otherwise a listener that adds a listener could prolong this loop without end.
    const notified = Array.from(listeners)
    for (const listener of notified) if (listeners.has(listener)) notify(listener, result)
    return result
  }
  const begin = async (): Promise<ReloadResult> => {
    waiting = undefined
    // Reset before the build: a change during the build outdates the new snapshot too.
    isOutdated = false
    try {
      const next = await build(built)
      last = now()
      for (const [key, { code }] of reported) if (code === 'RELOAD_FAILED') reported.delete(key)
      return swap(next)
    } catch (error) {
      isOutdated = true
      throw error
    }
  }
  /** @throws the error that prevented the new snapshot; the current one stays */
  const reload = ({ force = false }: { readonly force?: boolean } = {}): Promise<ReloadResult> => {
    if (waiting !== undefined) return waiting
    if (running !== undefined && !force) return running
    if (!force && !isOutdated && now() - last < minReloadInterval) {
      return Promise.resolve(resultOf(current, true))
    }
    // One at a time. It begins in a later microtask, so that all requests made until then share it.
    const ready: Promise<unknown> = running?.catch(() => undefined) ?? Promise.resolve()
    const next: Promise<ReloadResult> = ready.then(() => {
      running = next
      return begin()
    })
    waiting = next
    const ended = (): void => {
      if (running === next) running = undefined
    }
    next.then(ended, ended)
    return next
  }

  return {
    /** Immutable; a reload replaces it with a new object. */
    get current() {
      return current
    },
    reload,
    /** Marks the snapshot as outdated, so that the next reload runs even if it is not forced and comes soon. */
    outdate() {
      isOutdated = true
    },
    /** Adds a diagnostic to the current snapshot and all later ones; it replaces one with the same code and path. */
    report(diagnostic: Diagnostic) {
      reported.set(JSON.stringify([diagnostic.code, diagnostic.path]), diagnostic)
      swap(built)
    },
    /** Returns an unsubscribe function. */
    onChange(listener: ReloadListener): () => void {
      // A new function for each call: a listener that is added twice is called twice.
      const added: ReloadListener = (result) => listener(result)
      listeners.add(added)
      return () => void listeners.delete(added)
    },
  }
}

function resultOf({ kept, diagnostics }: Catalog, skipped: boolean): ReloadResult {
  return { skipped, kept: kept.map(({ name }) => name), diagnostics }
}

function notify(listener: ReloadListener, result: ReloadResult): void {
  try {
    listener(result)
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
