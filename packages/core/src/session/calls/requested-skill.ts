import { nearestNames } from '../../catalog/nearest.ts'
import type { CatalogView } from '../../catalog/view.ts'
import { canonicalTool } from '../../gate/index.ts'
import { readInput } from '../../tools/input.ts'
import { skillOfTool } from '../../tools/skill-of-tool.ts'
import { hasSkillTools } from '../../tools/styles/table.ts'
import { skillToolName } from '../../tools/skill-tool-name.ts'
import type { Skill } from '../../ports/skill.ts'
import type { ToolCall } from '../../ports/tool.ts'
import type { SessionContext } from '../context.ts'
import { type Refused, refused, unknownTool } from './refusal.ts'

/** The skill that somebody wants activated, and what they pass to it. */
export interface RequestedSkill {
  readonly skill: Skill
  readonly args: string | undefined
}

/** Where a wanted skill is looked for. */
export interface RequestContext {
  readonly context: SessionContext
  readonly view: CatalogView
  readonly hostTools: () => readonly string[] | undefined
}

/** Names that an error lists at the most. */
const MAX_NAMES = 20

/** Whether every skill has a tool of its own, and there is none that activates by name. */
export function hasToolPerSkill({ listing }: SessionContext): boolean {
  return hasSkillTools(listing.style)
}

/**
 * The skill whose own tool it is. A name that the step has for a tool of the host's stays the host's, where a reload
 * has found a skill of that name since: the next step tells the host.
 */
export function ownSkill({ context, view, hostTools }: RequestContext, tool: string): Skill | undefined {
  if (!hasToolPerSkill(context) || canonicalTool(tool, hostTools() ?? []) !== undefined) return undefined
  return skillOfTool(view.list(), tool)
}

/** The skill that a call of the model's asks for. */
export function requestedSkill(wanted: RequestContext, call: ToolCall): RequestedSkill | Refused {
  const { context, view } = wanted
  const { activate } = context.toolNames
  const own = ownSkill(wanted, call.tool)
  // It was there when the call came, and the catalog has changed since.
  if (hasToolPerSkill(context) && own === undefined) return unknownTool(call.tool)
  // A tool that needs no input may be called with none.
  const input = own ? readInput(skillToolName(own.name), call.input ?? {}) : readInput(activate, call.input)
  if ('wrong' in input) return refused({ code: 'INPUT_INVALID', reason: input.wrong })
  const args = input.text('args')
  const name = own ? { value: own.name } : input.text('name')
  if ('wrong' in name) return refused({ code: 'INPUT_INVALID', reason: name.wrong })
  if ('wrong' in args) return refused({ code: 'INPUT_INVALID', reason: args.wrong })
  const given = args.value === '' ? undefined : args.value
  if (own !== undefined) return { skill: own, args: given }
  if (name.value === undefined || name.value === '') {
    return refused({ code: 'INPUT_INVALID', reason: `\`name\` of \`${activate}\` is empty. ${namesOf(view)}` })
  }
  const skill = view.find(name.value)
  return skill === undefined ? skillNotFound(name.value, view) : { skill, args: given }
}

/** No visible skill goes by that name. */
export function skillNotFound(name: string, view: CatalogView): Refused {
  const [nearest] = nearestNames(
    name,
    view.list().map((skill) => skill.name),
    1,
  )
  const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
  return refused({
    code: 'SKILL_NOT_FOUND',
    reason: `There is no skill ${JSON.stringify(name.slice(0, 80))}.${hint} ${namesOf(view)}`,
  })
}

function namesOf(view: CatalogView): string {
  const names = view.list().map((skill) => skill.name)
  if (names.length === 0) return 'There are no skills.'
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : ''
  return `The skills are: ${names.slice(0, MAX_NAMES).join(', ')}${more}.`
}
