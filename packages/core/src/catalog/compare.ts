import type { Skill } from '../ports/skill.ts'
import type { Catalog } from './catalog.ts'

/** How an index differs from the previous one: names of listed skills in code-unit order. */
export interface CatalogDifference {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Skills whose metadata or location changed. A catalog does not know the content of bodies and resources. */
  readonly changed: readonly string[]
}

/** Returns the difference between two indexes. */
export function compareCatalogs(before: Catalog, after: Catalog): CatalogDifference {
  const removed = new Map(before.list().map((skill) => [skill.name, skill]))
  const added: string[] = []
  const changed: string[] = []
  for (const skill of after.list()) {
    const former = removed.get(skill.name)
    if (former === undefined) added.push(skill.name)
    else if (!isSame(former, skill)) changed.push(skill.name)
    removed.delete(skill.name)
  }
  return { added, removed: [...removed.keys()], changed }
}

function isSame(a: Skill, b: Skill): boolean {
  return (
    a === b ||
    (a.path === b.path && a.source === b.source && a.layer === b.layer && isSameValue(a.manifest, b.manifest))
  )
}

/** Whether two values of parsed YAML are equal, regardless of the order of their keys. */
function isSameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every(
      (key) =>
        Object.hasOwn(b, key) && isSameValue((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
    )
  )
}
