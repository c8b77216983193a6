import {
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
import type { Viewer } from '../ports/viewer.ts'

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
   * `list`, `has` and `get`, a viewer from whom nothing is hidden.
   */
  readonly viewer?: Viewer | undefined
}

/** The options of functions that look at skills for a viewer. */
export const FOR_VIEWER: OptionTable<ViewerOptions> = { viewer: viewerKind }

/** Returns the viewer of some options. @param method for the message of the TypeError, if they are not valid */
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

/**
 * Returns what a viewer may see. Scope decides first: a skill that is not for a viewer takes its name from no other. Of
 * the rest, the first of each name counts, and is then shown or hidden by the allowlist and by
 * `disable-model-invocation`.
 * @param skills sorted by name, those of one name by precedence
 */
export function viewOf(skills: readonly Skill[], viewer: Viewer): CatalogView {
  const unseen = new Set(unseenSkills(skills, viewer).map(({ skill }) => skill))
  // The same list for all who see everything, since what is made of a list is kept by it.
  const list = unseen.size === 0 ? skills : skills.filter((skill) => !unseen.has(skill))
  return { list: () => list, find: (name) => findByName(list, name) }
}

export interface UnseenSkill {
  readonly skill: Skill
  /** The rules that hide it from the viewer. */
  readonly rules: readonly HidingRule[]
  /**
   * The skill of its name that counts for the viewer instead. Absent: the viewer is not in its scope, or it counts
   * itself.
   */
  readonly by?: Skill | undefined
}

/**
 * Returns the skills that a viewer does not see, each with the reason.
 * @param active sorted by name, those of one name by precedence
 */
export function unseenSkills(active: readonly Skill[], viewer: Viewer): readonly UnseenSkill[] {
  const [isInScope, isShown] = [permits(scopeRules(viewer)), permits(otherRules(viewer))]
  let counting: Skill | undefined
  return active.flatMap((skill) => {
    const by = counting?.name === skill.name ? counting : undefined
    if (!isInScope(skill)) return [{ skill, rules: rulesHiding(skill, viewer) }]
    if (by !== undefined) return [{ skill, rules: rulesHiding(skill, viewer), by }]
    counting = skill
    return isShown(skill) ? [] : [{ skill, rules: rulesHiding(skill, viewer) }]
  })
}

/** Returns the first skill of a name. @param sorted by name, in code-unit order */
export function findByName(sorted: readonly Skill[], name: string): Skill | undefined {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]!.name < name) low = middle + 1
    else high = middle
  }
  return sorted[low]?.name === name ? sorted[low] : undefined
}

/** Returns every rule that hides a skill from a viewer; none if it is shown. */
function rulesHiding(skill: Skill, viewer: Viewer): readonly HidingRule[] {
  return [...scopeRules(viewer), ...otherRules(viewer)]
    .filter(([, permitted]) => !permitted(skill))
    .map(([rule]) => rule)
}

type Rule = readonly [HidingRule, (skill: Skill) => boolean]

function scopeRules({ agent, tenant, environment }: Viewer): readonly Rule[] {
  return [
    ['scope.agents', ({ manifest: { scope } }) => within(scope.agents, agent)],
    ['scope.tenants', ({ manifest: { scope } }) => within(scope.tenants, tenant)],
    ['scope.environments', ({ manifest: { scope } }) => within(scope.environments, environment)],
  ]
}

function otherRules({ skills, person = false }: Viewer): readonly Rule[] {
  const allowed = skills === undefined || skills.includes('*') ? undefined : new Set(skills)
  const allowlist: Rule = ['allowlist', ({ name }) => allowed?.has(name) === true]
  const forPeople: Rule = ['disable-model-invocation', ({ manifest }) => !manifest.disableModelInvocation]
  return [...(allowed === undefined ? [] : [allowlist]), ...(person ? [] : [forPeople])]
}

function permits(rules: readonly Rule[]): (skill: Skill) => boolean {
  return (skill) => rules.every(([, permitted]) => permitted(skill))
}

/** `*` means everyone, as it does in the allowlist: also a viewer who gives no name. */
function within(allowed: readonly string[] | undefined, name: string | undefined): boolean {
  return allowed === undefined || allowed.includes('*') || (name !== undefined && allowed.includes(name))
}
