import type { Diagnostic } from '../ports/diagnostic.ts'
import { type Catalog, withDiagnostics } from './catalog.ts'
import { type CatalogDifference, compareCatalogs } from './compare.ts'

/** What became of a reload. */
export interface ReloadResult extends CatalogDifference {
  /** True: the last reload was too short a time ago, and the catalog is the one that it was. */
  readonly skipped: boolean
  /** The names of skills that cannot be read any more and are kept as they were read last. */
  readonly kept: readonly string[]
  /** All diagnostics of the catalog as it is now. */
  readonly diagnostics: readonly Diagnostic[]
}

/** Called with every new snapshot. What it throws is an uncaught error of the program, and stops no other listener. */
export type ReloadListener = (result: ReloadResult) => void

/** When a reload is made. */
export interface SnapshotOptions {
  /** A reload that is not forced is skipped for so long after the last, in milliseconds. Default 60,000. */
  readonly minReloadInterval?: number
  /** A clock that never goes back, in milliseconds. Default `performance.now`. */
  readonly now?: () => number
}

/** The current index, and the only way to replace it. */
export interface Snapshots {
  /** Immutable; another object after a reload. */
  readonly current: Catalog
  /** @throws what kept the new snapshot from being made; the current one stays */
  reload(options?: { readonly force?: boolean }): Promise<ReloadResult>
  /** Makes the next reload run, even if it is not forced and comes soon. */
  outdate(): void
  /** Adds to the diagnostics of the current snapshot and of every later one; of one code and path the last is kept. */
  report(diagnostic: Diagnostic): void
  /** Returns an unsubscribe function. */
  onChange(listener: ReloadListener): () => void
}

const MIN_RELOAD_INTERVAL = 60_000

/**
 * Makes the first snapshot. Each later one is made beside the current, which is swapped in one step: whoever reads
 * has the one or the other.
 * @param build makes a snapshot, given the one before
 */
export async function openSnapshots(
  build: (former?: Catalog) => Promise<Catalog>,
  { minReloadInterval = MIN_RELOAD_INTERVAL, now = () => performance.now() }: SnapshotOptions,
): Promise<Snapshots> {
  const reported = new Map<string, Diagnostic>()
  const listeners = new Set<ReloadListener>()
  let built = await build()
  let current = built
  let last = now()
  let isOutdated = false
  /** A build that has begun. What changes from here on may be missing in it. */
  let running: Promise<ReloadResult> | undefined
  /** The build that comes next: whoever asks until it begins has a share in it. */
  let waiting: Promise<ReloadResult> | undefined

  const swap = (next: Catalog): ReloadResult => {
    const before = current
    built = next
    current = withDiagnostics(built, [...reported.values()])
    const result = resultOf(current, { skipped: false, ...compareCatalogs(before, current) })
    // Those of this moment: one that adds another would otherwise be followed by it without end.
    const notified = Array.from(listeners)
    for (const listener of notified) if (listeners.has(listener)) notify(listener, result)
    return result
  }
  const begin = async (): Promise<ReloadResult> => {
    waiting = undefined
    // What outdates the index while it is made outdates the new one too.
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
  const reload = ({ force = false }: { readonly force?: boolean } = {}): Promise<ReloadResult> => {
    if (waiting !== undefined) return waiting
    if (running !== undefined && !force) return running
    if (!force && !isOutdated && now() - last < minReloadInterval) {
      return Promise.resolve(resultOf(current, { skipped: true, added: [], removed: [], changed: [] }))
    }
    // One at a time. It begins when all who ask in this turn have asked.
    const ready = running === undefined ? Promise.resolve() : running.then(nothing, nothing)
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
    get current() {
      return current
    },
    reload,
    outdate() {
      isOutdated = true
    },
    report(diagnostic) {
      reported.set(JSON.stringify([diagnostic.code, diagnostic.path]), diagnostic)
      swap(built)
    },
    onChange(listener) {
      // A function for each call: a listener that is added twice is called twice.
      const added: ReloadListener = (result) => listener(result)
      listeners.add(added)
      return () => void listeners.delete(added)
    },
  }
}

/** With the catalog's diagnostics, which are made when they are read. */
function resultOf(catalog: Catalog, became: CatalogDifference & { readonly skipped: boolean }): ReloadResult {
  return {
    ...became,
    kept: catalog.kept.map(({ name }) => name),
    get diagnostics() {
      return catalog.diagnostics
    },
  }
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

function nothing(): void {}
