import { DEFAULT_LAYERS, type Layer, type Skill } from '@repertoire/skill-md/internal'

/** A skill and the skill of the same name that hides it. */
export interface ShadowedSkill {
  readonly skill: Skill
  readonly by: Skill
}

/**
 * Sorts skills by name in code-unit order, and those of one name by precedence: the higher layer wins, then the higher
 * priority, then the order of discovery. A priority never wins over a higher layer, so that a project's file cannot
 * replace a skill that an enterprise ships.
 */
export function sortByPrecedence(
  found: readonly Skill[],
  layers: readonly Layer[],
  collision: 'first' | 'last',
): readonly Skill[] {
  // Layers that the option leaves out rank below the others, in their default order.
  const ranked = [...new Set([...layers, ...DEFAULT_LAYERS])]
  const inOrder = collision === 'first' ? found : found.toReversed()
  return inOrder.toSorted((one, other) => {
    if (one.name !== other.name) return one.name < other.name ? -1 : 1
    return ranked.indexOf(one.layer) - ranked.indexOf(other.layer) || other.manifest.priority - one.manifest.priority
  })
}

/**
 * Returns the skills that no viewer sees, since everyone whose scope they match sees another of the same name instead.
 * @param sorted as `sortByPrecedence` returns them
 */
export function shadowedSkills(sorted: readonly Skill[]): readonly ShadowedSkill[] {
  const shadowed: ShadowedSkill[] = []
  let first = 0
  for (const [at, skill] of sorted.entries()) {
    if (sorted[first]!.name !== skill.name) first = at
    if (first === at) continue
    const by = sorted.slice(first, at).find((higher) => isSeenByAll(higher, skill))
    if (by !== undefined) shadowed.push({ skill, by })
  }
  return shadowed
}

function isSeenByAll({ manifest: { scope } }: Skill, { manifest: { scope: narrower } }: Skill): boolean {
  return (['agents', 'tenants', 'environments'] as const).every((key) => {
    const names = scope[key]
    return names === undefined || names.includes('*') || narrower[key]?.every((name) => names.includes(name)) === true
  })
}

export function isTie({ skill, by }: ShadowedSkill): boolean {
  return skill.layer === by.layer && skill.manifest.priority === by.manifest.priority
}

export function precedenceText({ skill, by }: ShadowedSkill): string {
  const { priority } = by.manifest
  if (skill.layer !== by.layer) return `the layer ${by.layer} has precedence over ${skill.layer}`
  return priority === skill.manifest.priority
    ? `both have the layer ${by.layer} and the priority ${priority}, and the order in which they were found decides`
    : `its priority is ${priority}`
}
