import { skillOfTool } from '../../tools/skill-of-tool.ts'
import { hasSkillTools } from '../../tools/styles/table.ts'
import { type Skill, quoteName } from '@repertoire/skill-md/internal'
import type { ListSettings } from '../../tools/skill-list.ts'
import type { SessionContext } from '../context.ts'

/**
 * The lists that were found to be without a clash, each with the settings of its repertoire: every step begins with one,
 * and frameworks open a session for each.
 */
const checked = new WeakMap<readonly string[], ListSettings>()

/** @throws {TypeError} a host tool has the name of a skill tool, or stands for another tool that the host has */
export function checkToolNames(
  hostTools: readonly string[],
  { toolNames, listing, tools, scripts }: Pick<SessionContext, 'toolNames' | 'listing' | 'tools' | 'scripts'>,
  skills: readonly Skill[],
): void {
  // Skills with tools of their own come and go.
  const isLasting = !hasSkillTools(listing.style)
  if (isLasting && checked.get(hostTools) === listing) return
  const own = new Set(Object.values(toolNames).map((name) => name.toLowerCase()))
  // A host without a runner may have a tool of that name itself.
  if (scripts === undefined) own.delete(toolNames.runScript.toLowerCase())
  // And so may one that offers no search.
  if (listing.search === 'never') own.delete(toolNames.search.toLowerCase())
  const skill = isLasting ? undefined : hostTools.find((name) => skillOfTool(skills, name))
  if (skill !== undefined) {
    throw new TypeError(
      `The host has a tool named ${quoteName(skill)}, which is the name of a skill's own tool. Leave it out if it is the tool of that skill: in this style the session offers it. Otherwise rename it, keep the skill from this session with the option \`skills\`, or list skills in another style.`,
    )
  }
  const clash = hostTools.find((name) => own.has(name.toLowerCase()))
  if (clash !== undefined) {
    throw new TypeError(
      `The host has a tool named ${quoteName(clash)}, which is the name of a skill tool. Rename one: the skill tools take their names from the option \`toolNames\`.`,
    )
  }
  tools.check(hostTools)
  if (isLasting) checked.set(hostTools, listing)
}
