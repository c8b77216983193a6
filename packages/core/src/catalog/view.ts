import type { Skill } from '../types.ts'
import type { Catalog } from './catalog.ts'

/** Who looks. What is left out matches no scope that names it. */
export interface Viewer {
  readonly agent?: string | undefined
  readonly tenant?: string | undefined
  readonly environment?: string | undefined
  /** Allowlist of names: absent = all, `[]` = none, `['*']` = all, names = those. */
  readonly skills?: readonly string[] | undefined
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
  const isVisible = (skill: Skill): boolean =>
    (allowed === undefined || allowed.has(skill.name)) && inScope(skill, viewer)
  const visible = catalog.list().filter(isVisible)
  return {
    list: () => visible,
    find(name) {
      const skill = catalog.has(name) ? catalog.get(name) : undefined
      return skill !== undefined && isVisible(skill) ? skill : undefined
    },
  }
}

/** Views that are kept: agents and tenants are many, those that are at work at one time are few. */
const MOST_VIEWS = 16

/** The views of a catalog, each made once for as long as it is in use: some frameworks open a session for every call. */
export function viewsOf(catalog: Catalog): (viewer: Viewer) => CatalogView {
  const views = new Map<string, CatalogView>()
  return ({ agent, tenant, environment, skills }) => {
    const key = JSON.stringify([agent ?? null, tenant ?? null, environment ?? null, skills ?? null])
    const view = views.get(key) ?? viewOf(catalog, { agent, tenant, environment, skills })
    // A Map keeps the order of insertion: what was used last goes to the end, and the oldest falls out.
    views.delete(key)
    views.set(key, view)
    const [oldest] = views.keys()
    if (views.size > MOST_VIEWS && oldest !== undefined) views.delete(oldest)
    return view
  }
}

function inScope({ manifest: { scope } }: Skill, { agent, tenant, environment }: Viewer): boolean {
  return within(scope.agents, agent) && within(scope.tenants, tenant) && within(scope.environments, environment)
}

function within(names: readonly string[] | undefined, own: string | undefined): boolean {
  return names === undefined || (own !== undefined && names.includes(own))
}
