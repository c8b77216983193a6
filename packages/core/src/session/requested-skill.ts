import { type ToolCall, canonicalTool } from '@repertoire/gate/internal'
import { type Skill, isObject, nearestNames } from '@repertoire/skill-md/internal'
import type { CallScope } from './context.ts'
import type { CatalogView } from '../catalog/view.ts'
import { inputSchemaOf } from '../disclosure/listing.ts'
import { type InputReader, readInput, skillOfTool, skillToolName } from '../tools/skill-tools.ts'
import { shownList } from '../tools/shown-list.ts'
import { hasSkillTools } from '../tools/styles.ts'
import type { Refused } from './refusal.ts'
import { refuse } from './refusals.ts'

/** A skill that is to be activated, and what is passed to it. */
export interface RequestedSkill {
  readonly skill: Skill
  readonly args: string | undefined
}

export interface SkillCallScope extends CallScope {
  /** Where the skill is looked up. */
  readonly view: CatalogView
}

/**
 * Whether there is a tool that activates by name: also where every skill has its own, as long as a search may find one that
 * is not among the tools.
 */
export function activatesByName({ context, view }: SkillCallScope): boolean {
  if (!hasSkillTools(context.listing.style)) return true
  const { search = 'never' } = context.listing
  return search !== 'never' && shownList(view.list(), context.listing).isSearched
}

/**
 * Returns the skill that a tool is the own tool of. A name that is a tool of the host's in this step stays the host's
 * where a reload has found a skill of that name since: the next step reports it.
 */
export function skillOfOwnTool({ context, view, hostTools }: SkillCallScope, tool: string): Skill | undefined {
  if (!hasSkillTools(context.listing.style) || canonicalTool(tool, hostTools() ?? []) !== undefined) return undefined
  return skillOfTool(view.list(), tool)
}

/** Returns the skill that a call of the model's requests. */
export function requestedSkill(request: SkillCallScope, call: ToolCall): RequestedSkill | Refused {
  const { context, view } = request
  const { activate } = context.toolNames
  const own = skillOfOwnTool(request, call.tool)
  // The skill was there when the call came, and the catalog has changed since.
  if (own === undefined && (!activatesByName(request) || canonicalTool(call.tool, [activate]) === undefined)) {
    return refuse.toolUnknown(call.tool)
  }
  // A tool that needs no input may be called without one.
  const input = own ? readInput(skillToolName(own.name), call.input ?? {}) : readInput(activate, call.input)
  if ('wrong' in input) return refuse.inputInvalid(input.wrong)
  const name = own ? { value: own.name } : input.text('name')
  const named = 'value' in name && name.value !== undefined ? view.find(name.value) : undefined
  const args = argsOf(own, named, call.input, input)
  if ('wrong' in name) return refuse.inputInvalid(name.wrong)
  if ('wrong' in args) return refuse.inputInvalid(args.wrong)
  const passed = args.value === '' ? undefined : args.value
  if (own !== undefined) return { skill: own, args: passed }
  if (name.value === undefined || name.value === '') {
    return refuse.noName(activate, namesOf(view))
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
  const visible = namesOf(view)
  return refuse.skillNotFound(name, nearestNames(name, visible, 1)[0], visible)
}

function namesOf(view: CatalogView): readonly string[] {
  return view.list().map((skill) => skill.name)
}

/**
 * Returns the skill that a step calls: by a skill's own tool, `skill_<name>`, in every style, or by the activation tool
 * with its `name` and `args`. Undefined where it calls another tool: one of the host's of that name is the host's.
 */
export function skillOfStep(
  { tool, input }: ToolCall,
  { context, view, hostTools }: SkillCallScope,
): RequestedSkill | Refused | undefined {
  if (canonicalTool(tool, hostTools() ?? []) !== undefined) return undefined
  const own = skillOfTool(view.list(), tool)
  if (own !== undefined) return { skill: own, args: argsOfStep(input, own.manifest.type) }
  if (canonicalTool(tool, [context.toolNames.activate]) === undefined || !isObject(input)) return undefined
  const { name, args } = input
  if (typeof name !== 'string') return undefined
  const skill = view.find(name.trim())
  if (skill === undefined) return skillNotFound(name, view)
  return { skill, args: typeof args === 'string' ? args : argsOfStep(args, skill.manifest.type) }
}

/** Parameters as the text that an activation takes. An instruction takes nothing but that. */
function argsOfStep(input: unknown, type: string): string | undefined {
  if (!isObject(input)) return undefined
  const { args } = input
  if (typeof args === 'string' && (type === 'instruction' || Object.keys(input).length === 1)) return args
  return Object.keys(input).length === 0 ? undefined : JSON.stringify(input)
}
