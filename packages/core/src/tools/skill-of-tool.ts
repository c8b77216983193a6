import type { Skill } from '@repertoire/skill-md/internal'
import { SKILL_TOOL_PREFIX, skillToolName } from './skill-tool-name.ts'

const known = new WeakMap<readonly Skill[], ReadonlyMap<string, Skill>>()

/**
 * Returns the skill whose own tool has a name, in any case; undefined where no skill's has. Looked up in all skills, also
 * those for which the list has no room.
 */
export function skillOfTool(skills: readonly Skill[], tool: string): Skill | undefined {
  // These names are lowercase ASCII: a letter that only folds to ASCII makes another name.
  const name = tool.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
  if (!name.startsWith(SKILL_TOOL_PREFIX)) return undefined
  const byTool = known.get(skills) ?? new Map(skills.map((skill) => [skillToolName(skill.name), skill]))
  known.set(skills, byTool)
  return byTool.get(name)
}
