import { LOAD_TIMEOUT_MS } from '@repertoire/skill-md/internal'
import type { SkillSource } from '../ports/source.ts'
import type { SkillAdmission } from './admission.ts'
import { buildCatalog, type Catalog, type CatalogSettings } from './catalog.ts'
import { openSnapshots, type SnapshotOptions, type Snapshots } from './snapshots.ts'
import { type CatalogView, viewOf } from './view.ts'
import type { Viewer } from '../ports/viewer.ts'
import { type WatchOptions, watchSources } from './watch.ts'

/** There may be many agents and tenants, but few are active at the same time. */
const MAX_VIEWS = 16

/**
 * Opens a catalog that can be reloaded.
 * @param options.admission judges which skills may load. Default: all may
 */
export async function openCatalog(
  options: CatalogSettings &
    SnapshotOptions & {
      readonly sources: readonly SkillSource[]
      readonly watch?: boolean | WatchOptions | undefined
      readonly admission?: SkillAdmission | undefined
    },
) {
  const { watch = false, sources, loadTimeout = LOAD_TIMEOUT_MS } = options
  const opening = Promise.withResolvers<Snapshots>()
  const target = {
    reload: async () => (await opening.promise).reload({ force: true }),
    report: (diagnostic: Parameters<Snapshots['report']>[0]) =>
      void opening.promise.then((made) => made.report(diagnostic)),
  }
  // The watch starts before the sources are read, so that no change in between is missed.
  const watching =
    watch === false ? undefined : await watchSources(sources, target, watch === true ? {} : watch, loadTimeout)
  /** Ends the watch. Safe to call more than once. */
  const close = (): Promise<void> => watching?.close() ?? Promise.resolve()
  try {
    opening.resolve(await openSnapshots((former) => buildCatalog(sources, { ...options, former }), options))
  } catch (error) {
    await close()
    throw error
  }
  const snapshots = await opening.promise
  // Some frameworks open a session for every call, and the same few viewers look at ten thousand skills each time.
  let seen: { readonly catalog: Catalog; readonly views: Map<string, CatalogView> } | undefined

  /** Returns a function that returns what a viewer may see of the snapshot that is current then. */
  function viewsFor(viewer: Viewer): () => CatalogView {
    const { agent, tenant, environment, skills, person = false } = viewer
    const key = JSON.stringify([agent ?? null, tenant ?? null, environment ?? null, skills ?? null, person])
    return () => {
      const catalog = snapshots.current
      if (seen?.catalog !== catalog || seen.views.size > MAX_VIEWS) seen = { catalog, views: new Map() }
      const view = seen.views.get(key) ?? viewOf(catalog.list(), viewer)
      seen.views.set(key, view)
      return view
    }
  }
  return { snapshots, viewsFor, close }
}
