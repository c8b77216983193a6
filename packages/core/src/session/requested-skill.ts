import { canonicalTool } from '@repertoire/gate/internal'
import type { ToolCall } from '../ports/tool.ts'
import { type Skill, isObject, nearestNames } from '@repertoire/skill-md/internal'
import type { CallScope } from './context.ts'
import type { CatalogView } from '../catalog/view.ts'
import { readFields, SKILL_TOOL_PREFIX, skillOfTool, skillToolName } from '../tools/skill-tools.ts'
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
  /** Identifies the message that the step's model call answers with. Absent: outside of a step. */
  readonly message?: string
}

/**
 * Whether there is a tool that activates by name: also where every skill has its own, as long as a search may find one
 * that is not among the tools.
 */
export function activatesByName({ context, view }: SkillCallScope): boolean {
  if (!hasSkillTools(context.listing.style)) return true
  return context.listing.search !== 'never' && shownList(view.list(), context.listing).isSearched
}

/**
 * Returns the skill that a tool is the own tool of. A name that is a tool of the host's in this step stays the host's
 * where a reload has found a skill of that name since: the next step reports it.
 */
export function skillOfOwnTool(scope: SkillCallScope, tool: string): Skill | undefined {
  if (!hasSkillTools(scope.context.listing.style) || isHostTool(scope, tool)) return undefined
  return skillOfTool(scope.view.list(), tool)
}

export function isSkillToolName(scope: SkillCallScope, tool: string): boolean {
  const isPrefixed = tool.toLowerCase().startsWith(SKILL_TOOL_PREFIX)
  return isPrefixed && hasSkillTools(scope.context.listing.style) && !isHostTool(scope, tool)
}

export function isHostTool({ hostTools }: Pick<CallScope, 'hostTools'>, name: string): boolean {
  return canonicalTool(name, hostTools() ?? []) !== undefined
}

export function requestedSkill(request: SkillCallScope, call: ToolCall): RequestedSkill | Refused {
  const { activate } = request.context.toolNames
  const own = skillOfOwnTool(request, call.tool)
  // A tool that needs no input may be called without one.
  if (own !== undefined) return ownRequest(own, call.input ?? {})
  // The skill was there before, and the catalog has changed since.
  if (isSkillToolName(request, call.tool)) return skillNotFound(call.tool.slice(SKILL_TOOL_PREFIX.length), request.view)
  if (!activatesByName(request) || canonicalTool(call.tool, [activate]) === undefined)
    return refuse.toolUnknown(call.tool)
  return namedRequest(request.view, activate, call.input)
}

/** Reads the input of a skill's own tool: its parameters by name; of an instruction the text of `args`. */
function ownRequest(skill: Skill, input: unknown): RequestedSkill | Refused {
  const { args: written, ...others } = Object(input) as Readonly<Record<string, unknown>>
  const isWhole =
    skill.manifest.type !== 'instruction' && (typeof written !== 'string' || Object.keys(others).length > 0)
  const given = isObject(input) ? { args: argsText(isWhole ? input : written) } : input
  const read = readFields(skillToolName(skill.name), given, { args: 'text' })
  return 'wrong' in read ? refuse.inputInvalid(read.wrong) : { skill, args: read.values.args || undefined }
}

function namedRequest(view: CatalogView, tool: string, input: unknown): RequestedSkill | Refused {
  const given = isObject(input) ? { ...input, args: argsText(input['args']) } : input
  const read = readFields(tool, given, { name: 'text', args: 'text' })
  if ('wrong' in read) return refuse.inputInvalid(read.wrong)
  const { name = '', args } = read.values
  if (name === '') return refuse.noName(tool, namesOf(view))
  const skill = view.find(name)
  return skill === undefined ? skillNotFound(name, view) : { skill, args: args || undefined }
}

/** Parameters as the text that an activation takes. */
function argsText(args: unknown): unknown {
  if (!isObject(args)) return args
  return Object.keys(args).length === 0 ? undefined : JSON.stringify(args)
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
export function skillOfStep({ tool, input }: ToolCall, scope: SkillCallScope): RequestedSkill | Refused | undefined {
  const { context, view } = scope
  if (isHostTool(scope, tool)) return undefined
  const own = skillOfTool(view.list(), tool)
  if (own !== undefined) return ownRequest(own, input)
  const { activate } = context.toolNames
  return canonicalTool(tool, [activate]) === undefined ? undefined : namedRequest(view, activate, input)
}
