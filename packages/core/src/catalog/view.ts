import {
  DEFAULT_MANIFEST,
  type OptionKind,
  type OptionTable,
  type Skill,
  anyText,
  checkOptions,
  flag,
  listOf,
  tableOf,
  withDefault,
} from '@repertoire/skill-md/internal'
import { recentEntries } from '../recent-entries.ts'

/** Who looks at the catalog. A property that is left out matches no scope that restricts it. */
export interface Viewer {
  readonly agent?: string | undefined
  readonly tenant?: string | undefined
  readonly environment?: string | undefined
  /** Allowlist of names: absent = all, `[]` = none, `['*']` = all, names = those. */
  readonly skills?: readonly string[] | undefined
  /** Whether the viewer is a person, who also sees skills with `disable-model-invocation`. Default false: a model. */
  readonly person?: boolean | undefined
}

/** The options of a viewer. */
const VIEWER_OPTIONS: OptionTable<Viewer> = {
  agent: anyText,
  tenant: anyText,
  environment: anyText,
  skills: listOf(anyText, "a list of skill names, such as ['pdf']"),
  person: withDefault(false, flag),
}

export const viewerKind: OptionKind = tableOf(VIEWER_OPTIONS)

/** Whose skills are looked at. */
export interface ViewerOptions {
  /**
   * Whoever looks. Default: a model of no agent, tenant or environment, which sees what no scope hides; for a catalog's
   * `list`, `has` and `get`, nobody in particular, to whom nothing is hidden.
   */
  readonly viewer?: Viewer | undefined
}

/** The options of functions that look at skills for somebody. */
export const FOR_VIEWER: OptionTable<ViewerOptions> = { viewer: viewerKind }

/** Returns the viewer of some options. @param method for the message of the TypeError, where they are not valid */
export function viewerOf(method: string, options: ViewerOptions | undefined): Viewer {
  checkOptions(method, FOR_VIEWER, options)
  return options?.viewer ?? {}
}

/** What one agent may see of a catalog. Read-only, sorted by name in code-unit order. */
export interface CatalogView {
  list(): readonly Skill[]
  /** Returns undefined for an unknown skill and for an invisible one alike, so that its existence does not leak. */
  find(name: string): Skill | undefined
}

/** A rule that hides a skill from a viewer. */
export type HidingRule =
  | 'allowlist'
  | 'scope.agents'
  | 'scope.tenants'
  | 'scope.environments'
  | 'disable-model-invocation'

/** The part of a catalog that views are made of. */
interface ViewedCatalog {
  list(): readonly Skill[]
  has(name: string): boolean
  get(name: string): Skill
}

/**
 * Returns what a viewer may see of a catalog, by the viewer's allowlist and each skill's `scope` and
 * `disable-model-invocation`.
 */
function viewOf(catalog: ViewedCatalog, viewer: Viewer): CatalogView {
  const isVisible = visibility(viewer)
  const all = catalog.list()
  // The same list for all who see everything, since what is made of a list is kept by it.
  const visible = all.every(isVisible) ? all : all.filter(isVisible)
  return {
    list: () => visible,
    find(name) {
      const skill = catalog.has(name) ? catalog.get(name) : undefined
      return skill !== undefined && isVisible(skill) ? skill : undefined
    },
  }
}

/** Returns every rule that hides a skill from a viewer; none where it is shown. */
export function rulesHiding(skill: Skill, viewer: Viewer): readonly HidingRule[] {
  return rulesFor(viewer)
    .filter(([, permits]) => !permits(skill))
    .map(([rule]) => rule)
}

/** Returns whether a viewer may see a skill. */
export function visibility(viewer: Viewer): (skill: Skill) => boolean {
  const rules = rulesFor(viewer)
  const ofScope = rules.filter(([rule]) => rule.startsWith('scope.'))
  const others = rules.filter((rule) => !ofScope.includes(rule)).map(([, permits]) => permits)
  const everyScope = DEFAULT_MANIFEST.scope
  // Asked about every skill of a catalog, of which most have no scope: first in a process that has compiled nothing yet.
  return (skill) => {
    for (let index = 0; index < others.length; index++) if (!others[index]!(skill)) return false
    return skill.manifest.scope === everyScope || ofScope.every(([, permits]) => permits(skill))
  }
}

type Rule = readonly [HidingRule, (skill: Skill) => boolean]

/** The rules that may hide a skill from a viewer. */
function rulesFor({ agent, tenant, environment, skills, person = false }: Viewer): readonly Rule[] {
  const allowed = skills === undefined || skills.includes('*') ? undefined : new Set(skills)
  const allowlist: Rule = ['allowlist', ({ name }) => allowed?.has(name) === true]
  const forPeople: Rule = ['disable-model-invocation', ({ manifest }) => !manifest.disableModelInvocation]
  return [
    ...(allowed === undefined ? [] : [allowlist]),
    ['scope.agents', ({ manifest: { scope } }) => within(scope.agents, agent)],
    ['scope.tenants', ({ manifest: { scope } }) => within(scope.tenants, tenant)],
    ['scope.environments', ({ manifest: { scope } }) => within(scope.environments, environment)],
    ...(person ? [] : [forPeople]),
  ]
}

/** `*` means everyone, as it does in the allowlist: also a viewer who gives no name. */
function within(allowed: readonly string[] | undefined, name: string | undefined): boolean {
  return allowed === undefined || allowed.includes('*') || (name !== undefined && allowed.includes(name))
}

/** The size of the view cache: there may be many agents and tenants, but few are active at the same time. */
const MAX_VIEWS = 16

/** Returns a cached `viewOf` for a catalog: some frameworks open a session for every call. */
export function viewsOf(catalog: ViewedCatalog): (viewer: Viewer) => CatalogView {
  const views = recentEntries<string, CatalogView>(MAX_VIEWS)
  return ({ agent, tenant, environment, skills, person = false }) => {
    const key = JSON.stringify([agent ?? null, tenant ?? null, environment ?? null, skills ?? null, person])
    const view = views.get(key) ?? viewOf(catalog, { agent, tenant, environment, skills, person })
    views.set(key, view)
    return view
  }
}
