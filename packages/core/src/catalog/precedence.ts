import { DEFAULT_LAYERS, type Layer, type Skill } from '@repertoire/skill-md/internal'

/** A skill and the skill of the same name that hides it. */
export interface ShadowedSkill {
  readonly skill: Skill
  readonly by: Skill
}

/** Why one of two skills of the same name wins. */
export type Precedence = 'layer' | 'priority' | 'order'

/**
 * Chooses one skill per name: the higher layer wins, then the higher priority, then the order of discovery. A priority
 * never wins over a higher layer, so that a project's file cannot replace a skill that an enterprise ships.
 * @returns `chosen` sorted by name in code-unit order, `shadowed` in the order of discovery
 */
export function byPrecedence(
  found: readonly Skill[],
  layers: readonly Layer[],
  collision: 'first' | 'last',
): { chosen: readonly Skill[]; shadowed: readonly ShadowedSkill[] } {
  // Folders are searched sorted by name, so that there is mostly nothing to sort. A copy has no spare capacity.
  if (areAscending(found)) return { chosen: found.slice(), shadowed: [] }
  const sorted = found.toSorted(byName)
  return areAscending(sorted) ? { chosen: sorted, shadowed: [] } : decide(found, layers, collision)
}

function byName({ name }: Skill, { name: other }: Skill): number {
  // Mostly so in this order or the other one: a second comparison is rare.
  if (name < other) return -1
  return name === other ? 0 : 1
}

/** Whether they are sorted by name, and no two have the same. */
function areAscending(skills: readonly Skill[]): boolean {
  let before: string | undefined
  for (const { name } of skills) {
    if (before !== undefined && before >= name) return false
    before = name
  }
  return true
}

function decide(
  found: readonly Skill[],
  layers: readonly Layer[],
  collision: 'first' | 'last',
): ReturnType<typeof byPrecedence> {
  // Layers that the option leaves out rank below the others, in their default order; the same rule holds among them.
  const ranked = new Set([...layers, ...DEFAULT_LAYERS])
  const rank = new Map([...ranked].map((layer, index) => [layer, index]))
  const rankOf = (skill: Skill): number => rank.get(skill.layer) ?? ranked.size
  const chosen = new Map<string, Skill>()
  // Nearly every name occurs once, so only the names that occur more often are collected.
  const contested = new Map<string, Skill[]>()
  for (const skill of found) {
    const { name } = skill
    const first = chosen.get(name)
    if (first === undefined) {
      chosen.set(name, skill)
      continue
    }
    const skills = contested.get(name)
    if (skills === undefined) contested.set(name, [first, skill])
    else skills.push(skill)
  }
  const shadowed: ShadowedSkill[] = []
  for (const [name, skills] of contested) {
    // The sort is stable: equal skills stay in the order of discovery, or in its reverse for `last`.
    const inOrder = collision === 'first' ? skills : skills.toReversed()
    const [best, ...others] = inOrder.toSorted(
      (a, b) => rankOf(a) - rankOf(b) || b.manifest.priority - a.manifest.priority,
    )
    if (best === undefined) continue
    chosen.set(name, best)
    for (const skill of others) shadowed.push({ skill, by: best })
  }
  return { chosen: [...chosen.values()].toSorted(byName), shadowed }
}

/** Returns what decided between a shadowed skill and the one that hides it. */
export function decidedBy({ skill, by }: ShadowedSkill): Precedence {
  if (skill.layer !== by.layer) return 'layer'
  return skill.manifest.priority === by.manifest.priority ? 'order' : 'priority'
}
