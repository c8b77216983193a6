import type { Skill } from '../ports/skill.ts'
import { SKILL_TOOL_PREFIX, skillToolName } from './skill-tool-name.ts'

const known = new WeakMap<readonly Skill[], ReadonlyMap<string, Skill>>()

/**
 * The skill that a tool's name stands for, in any case; undefined for a tool that is none of these skills' own. Looked
 * up in all of them, also those for which the list has no room.
 */
export function skillOfTool(skills: readonly Skill[], tool: string): Skill | undefined {
  // All of these names are of lowercase ASCII: a letter that only folds to one makes another name.
  const name = tool.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
  if (!name.startsWith(SKILL_TOOL_PREFIX)) return undefined
  const byTool = known.get(skills) ?? new Map(skills.map((skill) => [skillToolName(skill.name), skill]))
  known.set(skills, byTool)
  return byTool.get(name)
}
