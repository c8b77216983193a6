import { LRUCache } from 'lru-cache'
import type { Skill } from '../ports/skill.ts'
import type { Catalog } from './catalog.ts'

/** Who looks. What is left out matches no scope that names it. */
export interface Viewer {
  readonly agent?: string | undefined
  readonly tenant?: string | undefined
  readonly environment?: string | undefined
  /** Allowlist of names: absent = all, `[]` = none, `['*']` = all, names = those. */
  readonly skills?: readonly string[] | undefined
  /** Whether a person looks, who sees what no model is shown too (`disable-model-invocation`). Default: a model does. */
  readonly person?: boolean | undefined
}

/** What one agent may see of a catalog: read-only, by name in code-unit order. */
export interface CatalogView {
  list(): readonly Skill[]
  /** Absent where the skill is unknown, and just so where it is only invisible: its existence does not leak. */
  find(name: string): Skill | undefined
}

/** What hides a skill from an agent that would see it otherwise. */
export type HidingRule =
  | 'allowlist'
  | 'scope.agents'
  | 'scope.tenants'
  | 'scope.environments'
  | 'disable-model-invocation'

/** Restricts a catalog to what one agent may see: by its allowlist, by each skill's own `scope` and by its wish. */
export function viewOf(catalog: Catalog, viewer: Viewer): CatalogView {
  const isVisible = visibility(viewer)
  const visible = catalog.list().filter(isVisible)
  return {
    list: () => visible,
    find(name) {
      const skill = catalog.has(name) ? catalog.get(name) : undefined
      return skill !== undefined && isVisible(skill) ? skill : undefined
    },
  }
}

/** Every rule that hides a skill from a viewer; none where it is shown. */
export function rulesHiding(skill: Skill, viewer: Viewer): readonly HidingRule[] {
  return rulesFor(viewer)
    .filter(([, permits]) => !permits(skill))
    .map(([rule]) => rule)
}

function visibility(viewer: Viewer): (skill: Skill) => boolean {
  const rules = rulesFor(viewer).map(([, permits]) => permits)
  return (skill) => rules.every((permits) => permits(skill))
}

function rulesFor({
  agent,
  tenant,
  environment,
  skills,
  person = false,
}: Viewer): readonly (readonly [HidingRule, (skill: Skill) => boolean])[] {
  const allowed = skills === undefined || skills.includes('*') ? undefined : new Set(skills)
  return [
    ['allowlist', ({ name }) => allowed === undefined || allowed.has(name)],
    ['scope.agents', ({ manifest: { scope } }) => within(scope.agents, agent)],
    ['scope.tenants', ({ manifest: { scope } }) => within(scope.tenants, tenant)],
    ['scope.environments', ({ manifest: { scope } }) => within(scope.environments, environment)],
    ['disable-model-invocation', ({ manifest }) => person || !manifest.disableModelInvocation],
  ]
}

function within(names: readonly string[] | undefined, own: string | undefined): boolean {
  return names === undefined || (own !== undefined && names.includes(own))
}

/** Views that are kept: agents and tenants are many, those that are at work at one time are few. */
const MAX_VIEWS = 16

/** The views of a catalog, each made once for as long as it is in use: some frameworks open a session for every call. */
export function viewsOf(catalog: Catalog): (viewer: Viewer) => CatalogView {
  const views = new LRUCache<string, CatalogView>({ max: MAX_VIEWS })
  return ({ agent, tenant, environment, skills, person = false }) => {
    const key = JSON.stringify([agent ?? null, tenant ?? null, environment ?? null, skills ?? null, person])
    const known = views.get(key)
    if (known !== undefined) return known
    const view = viewOf(catalog, { agent, tenant, environment, skills, person })
    views.set(key, view)
    return view
  }
}
