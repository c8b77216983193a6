import type { Skill } from '../ports/skill.ts'
import type { Catalog } from './catalog.ts'

/** How one index differs from the one before, by the names of listed skills in code-unit order. */
export interface CatalogDifference {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Those whose metadata or place is another. What a body or a resource holds is not known to a catalog. */
  readonly changed: readonly string[]
}

/** Compares two indexes. */
export function compareCatalogs(before: Catalog, after: Catalog): CatalogDifference {
  const added: string[] = []
  const changed: string[] = []
  for (const skill of after.list()) {
    if (!before.has(skill.name)) added.push(skill.name)
    else if (!isSame(before.get(skill.name), skill)) changed.push(skill.name)
  }
  const gone = before.list().filter(({ name }) => !after.has(name))
  return { added, removed: gone.map(({ name }) => name), changed }
}

function isSame(a: Skill, b: Skill): boolean {
  return (
    a === b ||
    (a.path === b.path && a.source === b.source && a.layer === b.layer && isSameValue(a.manifest, b.manifest))
  )
}

/** Whether two values of parsed YAML are the same, whatever the order of their keys. */
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
