import { LOAD_TIMEOUT_MS } from '@repertoire/skill-md/internal'
import type { SkillAdmission } from './admission.ts'
import type { SkillSource } from '../ports/source.ts'
import { buildCatalog, type Catalog, type CatalogSettings, endSearches } from './catalog.ts'
import { openSnapshots, type SnapshotOptions, type Snapshots } from './snapshots.ts'
import { type CatalogView, type Viewer, viewsOf } from './view.ts'
import { type WatchOptions, watchSources } from './watch.ts'

/** Options of `openCatalog`. */
export interface OpenCatalogOptions extends CatalogSettings, SnapshotOptions {
  readonly sources: readonly SkillSource[]
  readonly watch?: boolean | WatchOptions | undefined
}

/** A catalog that can be reloaded. */
export interface OpenCatalog {
  readonly snapshots: Snapshots
  /** Returns what a viewer may see of the current snapshot. */
  readonly viewFor: (viewer: Viewer) => CatalogView
  /**
   * Returns a function that does the same for one viewer, who stays the same. It looks the view up once in a snapshot:
   * every call of a session asks for it several times.
   */
  readonly viewsFor: (viewer: Viewer) => () => CatalogView
  /** Ends the watch, and what searches have begun and nobody waits for. Safe to call more than once. */
  readonly close: () => Promise<void>
}

/** @param admission what judges which skills may load; absent: all may */
export async function openCatalog(options: OpenCatalogOptions, admission?: SkillAdmission): Promise<OpenCatalog> {
  const { watch = false, sources, loadTimeout = LOAD_TIMEOUT_MS } = options
  const opening = Promise.withResolvers<Snapshots>()
  const target = {
    reload: async () => (await opening.promise).reload({ force: true }),
    report: (diagnostic: Parameters<Snapshots['report']>[0]) =>
      void opening.promise.then((made) => made.report(diagnostic)),
  }
  // The watch starts before the sources are scanned, so that no change in between is missed.
  const watching =
    watch === false ? undefined : await watchSources(sources, target, watch === true ? {} : watch, loadTimeout)
  const endWatch = (): Promise<void> => watching?.close() ?? Promise.resolve()
  try {
    opening.resolve(
      await openSnapshots(sources, (former) => buildCatalog(sources, options, former, admission), options),
    )
  } catch (error) {
    await endWatch()
    throw error
  }
  const snapshots = await opening.promise
  let views = { catalog: snapshots.current, of: viewsOf(snapshots.current) }
  const viewFor = (viewer: Viewer): CatalogView => {
    const catalog = snapshots.current
    if (views.catalog !== catalog) views = { catalog, of: viewsOf(catalog) }
    return views.of(viewer)
  }
  return {
    snapshots,
    viewFor,
    viewsFor(viewer) {
      let known: { readonly catalog: Catalog; readonly view: CatalogView } | undefined
      return () => {
        const catalog = snapshots.current
        if (known?.catalog !== catalog) known = { catalog, view: viewFor(viewer) }
        return known.view
      }
    },
    close() {
      endSearches(snapshots.current)
      return endWatch()
    },
  }
}
