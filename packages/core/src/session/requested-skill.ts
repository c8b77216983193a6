import { nearestNames, isObject, type Skill, quoteBeginning, quoteName, showName } from '@repertoire/skill-md/internal'
import type { CatalogView } from '../catalog/view.ts'
import { canonicalTool, type ToolCall } from '@repertoire/gate/internal'
import { inputSchemaOf } from '../disclosure/parameters.ts'
import { type InputReader, readInput } from '../tools/input.ts'
import { offersSearchIn } from '../tools/offered-search.ts'
import { skillOfTool } from '../tools/skill-of-tool.ts'
import { hasSkillTools } from '../tools/styles/table.ts'
import { skillToolName } from '../tools/skill-tool-name.ts'
import type { SessionContext } from './context.ts'
import { MAX_NAME_CHARS, type Refused, refused, unknownTool } from './refusal.ts'

/** A skill that is to be activated, and what is passed to it. */
export interface RequestedSkill {
  readonly skill: Skill
  readonly args: string | undefined
}

/** Where a requested skill is looked up. */
export interface RequestContext {
  readonly context: Pick<SessionContext, 'listing' | 'toolNames'>
  readonly view: CatalogView
  readonly hostTools: () => readonly string[] | undefined
}

/** Names that an error lists. */
const MAX_NAMES = 20

/** Whether every skill has its own tool, and no tool activates by name. */
export function hasToolPerSkill({ listing }: Pick<SessionContext, 'listing'>): boolean {
  return hasSkillTools(listing.style)
}

/**
 * Whether there is a tool that activates by name: also where every skill has its own, as long as a search may find one that
 * is not among the tools.
 */
export function activatesByName({ context, view }: Pick<RequestContext, 'context' | 'view'>): boolean {
  return !hasToolPerSkill(context) || offersSearchIn(context.listing, view.list())
}

/**
 * Returns the skill that a tool is the own tool of. A name that is a tool of the host's in this step stays the host's
 * where a reload has found a skill of that name since: the next step reports it.
 */
export function skillOfOwnTool({ context, view, hostTools }: RequestContext, tool: string): Skill | undefined {
  if (!hasToolPerSkill(context) || canonicalTool(tool, hostTools() ?? []) !== undefined) return undefined
  return skillOfTool(view.list(), tool)
}

/** Returns the skill that a call of the model's requests. */
export function requestedSkill(request: RequestContext, call: ToolCall): RequestedSkill | Refused {
  const { context, view } = request
  const { activate } = context.toolNames
  const own = skillOfOwnTool(request, call.tool)
  // The skill was there when the call came, and the catalog has changed since.
  if (own === undefined && (!activatesByName(request) || canonicalTool(call.tool, [activate]) === undefined)) {
    return unknownTool(call.tool)
  }
  // A tool that needs no input may be called without one.
  const input = own ? readInput(skillToolName(own.name), call.input ?? {}) : readInput(activate, call.input)
  if ('wrong' in input) return refused({ code: 'INPUT_INVALID', reason: input.wrong })
  const name = own ? { value: own.name } : input.text('name')
  const named = 'value' in name && name.value !== undefined ? view.find(name.value) : undefined
  const args = argsOf(own, named, call.input, input)
  if ('wrong' in name) return refused({ code: 'INPUT_INVALID', reason: name.wrong })
  if ('wrong' in args) return refused({ code: 'INPUT_INVALID', reason: args.wrong })
  const passed = args.value === '' ? undefined : args.value
  if (own !== undefined) return { skill: own, args: passed }
  if (name.value === undefined || name.value === '') {
    return refused({ code: 'INPUT_INVALID', reason: `\`name\` of \`${activate}\` is empty. ${namesOf(view)}` })
  }
  const skill = view.find(name.value)
  return skill === undefined ? skillNotFound(name.value, view) : { skill, args: passed }
}

/**
 * Returns what is passed to a skill: the text of `args`; of a skill that is executed also an object in its place, or the
 * input of its own tool, as JSON.
 */
function argsOf(
  own: Skill | undefined,
  named: Skill | undefined,
  written: unknown,
  input: InputReader,
): ReturnType<InputReader['text']> {
  const given = isObject(written) ? written : {}
  if (own !== undefined && inputSchemaOf(own.manifest) !== undefined) {
    return { value: Object.keys(given).length === 0 ? undefined : JSON.stringify(given) }
  }
  const { args } = given
  const takesObject = named !== undefined && named.manifest.type !== 'instruction'
  return takesObject && isObject(args) ? { value: JSON.stringify(args) } : input.text('args')
}

/** Refuses to activate a skill of a name that no visible skill has. */
export function skillNotFound(name: string, view: CatalogView): Refused {
  const [nearest] = nearestNames(
    name,
    view.list().map((skill) => skill.name),
    1,
  )
  const hint = nearest === undefined ? '' : ` Did you mean ${quoteName(nearest)}?`
  return refused({
    code: 'SKILL_NOT_FOUND',
    reason: `There is no skill ${quoteBeginning(name, MAX_NAME_CHARS)}.${hint} ${namesOf(view)}`,
  })
}

function namesOf(view: CatalogView): string {
  const names = view.list().map((skill) => skill.name)
  if (names.length === 0) return 'There are no skills.'
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : ''
  return `The skills are: ${names.slice(0, MAX_NAMES).map(showName).join(', ')}${more}.`
}
