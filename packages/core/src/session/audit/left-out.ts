import type { LeftSkill } from '../../audit/events.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { diagnosticsOf, unlistedSkills } from '../../catalog/explain.ts'
import { leftOutReason } from '../../catalog/explanation.ts'
import type { Viewer } from '../../ports/viewer.ts'

/** What was found of each catalog, by viewer: it is the same at every step. */
const known = new WeakMap<Catalog, Map<string, readonly LeftSkill[]>>()

/** Diagnostics that a reason names. */
const MAX_DIAGNOSTICS = 3

/**
 * Returns what keeps skills of a catalog from a viewer's list, apart from its budget: those that are broken, then those
 * that are hidden from the viewer, shadowed, not admitted or not active.
 */
export function leftOut(catalog: Catalog, viewer: Viewer): readonly LeftSkill[] {
  const byViewer = known.get(catalog) ?? new Map<string, readonly LeftSkill[]>()
  known.set(catalog, byViewer)
  const key = JSON.stringify(viewer)
  const found =
    byViewer.get(key) ??
    unlistedSkills(catalog, viewer).map(({ names, fate, path, reasons }) => {
      const told = fate === 'broken' ? diagnosticsOf(path, catalog).slice(0, MAX_DIAGNOSTICS) : reasons
      return { name: names[0], why: fate, reason: leftOutReason(told) }
    })
  byViewer.set(key, found)
  return found
}
