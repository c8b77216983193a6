import { buildCatalog, type CatalogOptions } from './catalog.ts'
import { openSnapshots, type SnapshotOptions, type Snapshots } from './snapshots.ts'
import { type CatalogView, type Viewer, viewsOf } from './view.ts'
import { type WatchOptions, watchSources } from './watch.ts'

/** How a catalog that can be reloaded is opened. */
export interface OpenCatalogOptions extends CatalogOptions, SnapshotOptions {
  /**
   * Whether sources that can tell of changes are watched, and a change is followed by a reload. Default false. A watch
   * keeps no process alive; `close` ends it.
   */
  readonly watch?: boolean | WatchOptions
}

/** The catalog as it is at each moment. */
export interface OpenCatalog extends Snapshots {
  /** What a viewer may see of the current snapshot. */
  viewFor(viewer: Viewer): CatalogView
  /** Ends the watch. Safe to repeat. */
  close(): Promise<void>
}

/** @throws {TypeError} a time of the watch is not valid */
export async function openCatalog(options: OpenCatalogOptions): Promise<OpenCatalog> {
  const { watch = false, sources } = options
  const opening = Promise.withResolvers<Snapshots>()
  const target = {
    reload: async () => (await opening.promise).reload({ force: true }),
    report: (diagnostic: Parameters<Snapshots['report']>[0]) =>
      void opening.promise.then((made) => made.report(diagnostic)),
  }
  // The watch is there before the sources are looked through, so that no change falls between the two.
  const watching = watch === false ? undefined : await watchSources(sources, target, watch === true ? {} : watch)
  const close = (): Promise<void> => watching?.close() ?? Promise.resolve()
  try {
    opening.resolve(await openSnapshots((former) => buildCatalog(options, former), options))
  } catch (error) {
    await close()
    throw error
  }
  const snapshots = await opening.promise
  let views = { catalog: snapshots.current, of: viewsOf(snapshots.current) }
  return {
    get current() {
      return snapshots.current
    },
    reload: (reloading) => snapshots.reload(reloading),
    outdate: () => snapshots.outdate(),
    report: (diagnostic) => snapshots.report(diagnostic),
    onChange: (listener) => snapshots.onChange(listener),
    viewFor(viewer) {
      const catalog = snapshots.current
      if (views.catalog !== catalog) views = { catalog, of: viewsOf(catalog) }
      return views.of(viewer)
    },
    close,
  }
}
