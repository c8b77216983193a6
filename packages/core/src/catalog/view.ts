import type { Skill } from '../types.ts'
import type { Catalog } from './catalog.ts'

/** Who looks. What is left out matches no scope that names it. */
export interface Viewer {
  readonly agent?: string
  readonly tenant?: string
  readonly environment?: string
  /** Allowlist of names: absent = all, `[]` = none, `['*']` = all, names = those. */
  readonly skills?: readonly string[]
}

/** What one agent may see of a catalog: read-only, by name in code-unit order. */
export interface CatalogView {
  list(): readonly Skill[]
  /** Absent where the skill is unknown, and just so where it is only invisible: its existence does not leak. */
  find(name: string): Skill | undefined
}

/** Restricts a catalog to what one agent may see: by its allowlist and by each skill's own `scope`. */
export function viewOf(catalog: Catalog, viewer: Viewer): CatalogView {
  const { skills } = viewer
  const allowed = skills === undefined || skills.includes('*') ? undefined : new Set(skills)
  const visible = catalog
    .list()
    .filter((skill) => (allowed === undefined || allowed.has(skill.name)) && inScope(skill, viewer))
  const byName = new Map(visible.map((skill) => [skill.name, skill]))
  return { list: () => visible, find: (name) => byName.get(name) }
}

function inScope({ manifest: { scope } }: Skill, { agent, tenant, environment }: Viewer): boolean {
  return within(scope.agents, agent) && within(scope.tenants, tenant) && within(scope.environments, environment)
}

function within(names: readonly string[] | undefined, own: string | undefined): boolean {
  return names === undefined || (own !== undefined && names.includes(own))
}
