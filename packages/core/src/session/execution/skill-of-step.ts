import type { CatalogView } from '../../catalog/view.ts'
import { canonicalTool, type ToolCall } from '@repertoire/gate/internal'
import { isObject } from '@repertoire/skill-md/internal'
import { skillOfTool } from '../../tools/skill-of-tool.ts'
import type { SessionContext } from '../context.ts'
import { type Refused } from '../refusal.ts'
import { type RequestedSkill, skillNotFound } from '../requested-skill.ts'

/** Where the tool of a step is looked up. */
export interface StepLookup {
  readonly view: CatalogView
  readonly toolNames: Pick<SessionContext['toolNames'], 'activate'>
  readonly hostTools: readonly string[] | undefined
}

/**
 * Returns the skill that a step calls: by a skill's own tool, `skill_<name>`, in every style, or by the activation tool
 * with its `name` and `args`. Undefined where it calls another tool: one of the host's of that name is the host's.
 */
export function skillOfStep(
  { tool, input }: ToolCall,
  { view, toolNames, hostTools = [] }: StepLookup,
): RequestedSkill | Refused | undefined {
  if (canonicalTool(tool, hostTools) !== undefined) return undefined
  const own = skillOfTool(view.list(), tool)
  if (own !== undefined) return { skill: own, args: argsOf(input, own.manifest.type) }
  if (canonicalTool(tool, [toolNames.activate]) === undefined || !isObject(input)) return undefined
  const { name, args } = input
  if (typeof name !== 'string') return undefined
  const skill = view.find(name.trim())
  if (skill === undefined) return skillNotFound(name, view)
  return { skill, args: typeof args === 'string' ? args : argsOf(args, skill.manifest.type) }
}

/** Parameters as the text that an activation takes. An instruction takes nothing but that. */
function argsOf(input: unknown, type: string): string | undefined {
  if (!isObject(input)) return undefined
  const { args } = input
  if (typeof args === 'string' && (type === 'instruction' || Object.keys(input).length === 1)) return args
  return Object.keys(input).length === 0 ? undefined : JSON.stringify(input)
}
