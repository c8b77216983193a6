import { hasSkillTools, type ListingStyle } from './tools/styles/table.ts'
import type { SkillToolNames } from './tools/definitions.ts'
import { SKILL_TOOL_PREFIX } from './tools/skill-tool-name.ts'
import type { SkillMounts } from './ports/mount.ts'

/** @throws {TypeError} a skill tool has no name, the name of another, or one that is a skill's in the style `tools` */
export function checkedNames(names: SkillToolNames, style: ListingStyle): SkillToolNames {
  const folded = Object.values(names).map((name: unknown) => (typeof name === 'string' ? name.toLowerCase() : ''))
  const twice = folded.find((name, index) => folded.indexOf(name) !== index)
  if (folded.includes('') || twice !== undefined) {
    const what = folded.includes('') ? 'leaves a skill tool without a name' : `names two skill tools "${twice}"`
    throw new TypeError(`\`toolNames\` ${what}. Give each a name of its own; case does not tell two apart.`)
  }
  const taken = folded.find((name) => name.startsWith(SKILL_TOOL_PREFIX))
  if (hasSkillTools(style) && taken !== undefined) {
    throw new TypeError(
      `\`toolNames\` names a skill tool "${taken}". In the style \`tools\` names that begin with "${SKILL_TOOL_PREFIX}" are those of the skills: give it another.`,
    )
  }
  return names
}

/** @throws {TypeError} `hooks` or `mounts` are none, or the time for a hook is none */
export function checkPorts(hooks: unknown, hookTimeout: unknown, mounts: SkillMounts | undefined): void {
  if (hooks !== undefined && typeof hooks !== 'function')
    throw new TypeError('`hooks` is no function. Give one that runs a hook and tells what became of it.')
  if (typeof hookTimeout !== 'number' || !(hookTimeout > 0))
    throw new TypeError(`hookTimeout is ${String(hookTimeout)}. Give milliseconds, more than 0; Infinity for no limit.`)
  if (mounts !== undefined && (typeof mounts?.mount !== 'function' || typeof mounts.unmount !== 'function'))
    throw new TypeError(
      '`mounts` has no `mount` or no `unmount`. Give `privateMounts` of @repertoire/core/node, or both.',
    )
}

/** @throws {TypeError} one of them is no time */
export function checkTimes(times: Readonly<Record<string, number | undefined>>): void {
  for (const [name, value] of Object.entries(times)) {
    if (value !== undefined && !(value >= 0)) {
      throw new TypeError(`${name} is ${value}. Give milliseconds, 0 or more; Infinity for no limit.`)
    }
  }
}
