import type { Layer, Skill } from '../ports/skill.ts'

/** A skill that another of the same name hides. */
export interface ShadowedSkill {
  readonly skill: Skill
  readonly by: Skill
}

/** Why one of two skills of a name goes before the other. */
export type Precedence = 'layer' | 'priority' | 'order'

/** Highest first. Other clients let `project` win over `personal`: the order is an option. */
export const DEFAULT_LAYERS: readonly Layer[] = ['enterprise', 'personal', 'project', 'plugin', 'bundled']

/**
 * One skill per name: the higher layer wins, then the higher priority, then the order of discovery. A priority never
 * lifts a skill over a higher layer, so that what an enterprise ships cannot be replaced by a project's file.
 */
export function byPrecedence(
  found: readonly Skill[],
  layers: readonly Layer[],
  collision: 'first' | 'last',
): { chosen: ReadonlyMap<string, Skill>; shadowed: readonly ShadowedSkill[] } {
  // Layers that are not named come behind, in their usual order: among them, too, no priority lifts over a higher one.
  const ranked = new Set([...layers, ...DEFAULT_LAYERS])
  const rank = new Map([...ranked].map((layer, index) => [layer, index]))
  const rankOf = (skill: Skill): number => rank.get(skill.layer) ?? ranked.size
  const chosen = new Map<string, Skill>()
  // Nearly every name is there once, so only the others are gathered.
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
    // The sort is stable: among equals the order of discovery stays, or is turned round for `last`.
    const inOrder = collision === 'first' ? skills : skills.toReversed()
    const [best, ...others] = inOrder.toSorted(
      (a, b) => rankOf(a) - rankOf(b) || b.manifest.priority - a.manifest.priority,
    )
    if (best === undefined) continue
    chosen.set(name, best)
    for (const skill of others) shadowed.push({ skill, by: best })
  }
  return { chosen, shadowed }
}

/** What decided between a shadowed skill and the one that is taken instead. */
export function decidedBy({ skill, by }: ShadowedSkill): Precedence {
  if (skill.layer !== by.layer) return 'layer'
  return skill.manifest.priority === by.manifest.priority ? 'order' : 'priority'
}
