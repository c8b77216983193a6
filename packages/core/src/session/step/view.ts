import type { ListingCuts } from '../../disclosure/fit.ts'
import { SECTION_HEADING } from '../../disclosure/listing.ts'
import { activationGuidance, navigationGuidance } from '../../disclosure/guidance.ts'
import { type GateMode, type Policy, mayUse } from '@repertoire/gate/internal'
import type { ToolDefinition } from '../../ports/tool.ts'
import { type SkillToolNames, activateTool, searchTool, toolsOfActive } from '../../tools/definitions.ts'
import { type ShownList, rememberedList, shownList, withSearch } from '../../tools/shown-list.ts'
import { type ListingStyle, STYLES, hasSkillTools } from '../../tools/styles.ts'
import { scriptToolOf } from '../scripts/active-scripts.ts'
import type { Skill } from '@repertoire/skill-md/internal'
import { type MatchedActive, type SkillList, matchedList } from '../../tools/skill-list.ts'
import type { SessionContext } from '../context.ts'
import { guidanceTools } from '../guidance.ts'
import { type ActiveSkill, isPinned } from '../state/state.ts'

/** What the model is to be shown in one call. */
export interface StepView {
  /**
   * The skill tools; none where no skill is visible or active. In the style `tools` they include `skillTools`. Then
   * those that are of use while a skill is active, and are offered only then, or always with `listing.stableTools`.
   * Last the tools that active skills bring: calls of these, too, are carried out by the session.
   */
  readonly tools: readonly ToolDefinition[]
  /** The tools that activate one skill each, in the style `tools`: they come and go with the skills. Else none. */
  readonly skillTools: readonly ToolDefinition[]
  /** The list of skills and how to use them, for the system prompt; empty where no skill is visible. */
  readonly instructions: string
  /** What was cut from the list to keep to its budget. Empty lists of names if nothing was. */
  readonly cuts: ListingCuts
  /** Returns the host's own system prompt with `instructions` after it; undefined if there is neither. */
  system(own: string | undefined): string | undefined
  /**
   * Whether no call of a host's tool would be allowed, so that the model need not be shown it. The gate refuses it
   * anyway. With `listing.stableTools` every tool is shown.
   */
  isHidden(hostTool: string): boolean
}

/** The section of a skill that is not active, in the system prompt of a step. */
export interface ShownSection {
  readonly name: string
  /** As it stands there. */
  readonly text: string
  /** `relevant`: the person's message was about it. */
  readonly fit: 'relevant' | 'inactive'
}

/** What a step is made of. */
interface Step {
  readonly context: SessionContext
  /** The visible ones. */
  readonly skills: readonly Skill[]
  readonly hostTools: readonly string[]
  readonly active: readonly ActiveSkill[]
  readonly policy: Policy
  /** The tools that active skills bring. */
  readonly provided: readonly ToolDefinition[]
  /** The names of the skills that fit the person's last message. Undefined: it was not matched. */
  readonly matched: readonly string[] | undefined
}

export interface ViewedStep {
  readonly view: StepView
  readonly list: SkillList
  /** Returns the sections of the skills that are not active. */
  readonly sections: () => readonly ShownSection[]
}

export function viewStep(step: Step): ViewedStep {
  const { skills, policy, context, hostTools } = step
  const tools = context.tools.of(hostTools)
  const shown = listOf(step, fittingOf(step))
  const { list } = shown
  const instructions = skills.length === 0 ? '' : instructionsOf(step, shown)
  return {
    view: {
      tools: [...toolsOf(step, shown), ...step.provided],
      skillTools: skills.length === 0 ? [] : list.tools,
      instructions,
      cuts: list.cuts,
      system: (own) => joinSystemPrompt(own, instructions),
      isHidden: (hostTool) => !context.listing.stableTools && !mayUse(policy, hostTool, tools),
    },
    list,
    sections: () => {
      const fit = context.match === undefined ? 'inactive' : 'relevant'
      return (skills.length === 0 ? [] : (list.sections?.() ?? [])).map((section) => ({ ...section, fit }))
    },
  }
}

/** What a list is shown with. Adapters translate a definition once: the same tool is the same object at each step. */
const definitions = new WeakMap<ShownList, Map<string, readonly ToolDefinition[]>>()

function toolsOf({ context, skills, active, hostTools }: Step, shown: ShownList): readonly ToolDefinition[] {
  if (skills.length === 0 && active.length === 0) return []
  const { toolNames, listing, scripts, gate } = context
  const { style, stableTools } = listing
  const isRun = ({ name }: ActiveSkill): boolean => scriptToolOf(name, context, active, hostTools) !== undefined
  const runsScripts = stableTools ? scripts !== undefined : active.some(isRun)
  const deactivates = stableTools || active.some((skill) => !isPinned(skill))
  const needed = { runsScripts, deactivates }
  const ofActive = stableTools || active.length > 0 ? needed : undefined
  if (skills.length === 0) return toolsOfActive(toolNames, needed)
  const known = definitions.get(shown) ?? new Map<string, readonly ToolDefinition[]>()
  definitions.set(shown, known)
  const key = JSON.stringify([gate.mode, ofActive])
  const tools = known.get(key) ?? makeTools(shown, toolNames, style, gate.mode, ofActive)
  known.set(key, tools)
  return tools
}

function makeTools(
  { list: { text, tools }, isSearched }: ShownList,
  toolNames: SkillToolNames,
  style: ListingStyle,
  mode: GateMode,
  ofActive: Parameters<typeof toolsOfActive>[1] | undefined,
): readonly ToolDefinition[] {
  const listed = STYLES[style].place === 'activation-tool' ? text : ''
  const activating = isSearched || !hasSkillTools(style) ? [activateTool(toolNames, listed, mode)] : []
  const finding = isSearched ? [searchTool(toolNames)] : []
  // What comes with an activation stands last: a provider's cache keeps what is before it.
  return [...activating, ...finding, ...tools, ...(ofActive === undefined ? [] : toolsOfActive(toolNames, ofActive))]
}

function instructionsOf({ context, hostTools }: Step, { list: { text }, isSearched }: ShownList): string {
  const { style, guidance: mode } = context.listing
  const { place } = STYLES[style]
  // Unless selective, the same at every step: a system prompt that changes costs the provider's prompt cache.
  const tools = guidanceTools(context, hostTools, isSearched)
  const guidance = mode === 'full' ? navigationGuidance(tools) : activationGuidance(tools)
  if (text === '' || place === 'activation-tool') return guidance
  if (place === 'before-guidance') return `${text}\n\n${guidance}`
  if (place === 'after-guidance') return `${guidance}\n\n${text}`
  return mode === 'full' ? `${guidance}\n\n${SECTION_HEADING}\n\n${text}` : `${guidance}\n${text}`
}

/** What stands between two parts of a system prompt. */
const BETWEEN = '\n\n'

/**
 * Returns the parts of a system prompt as one text, an empty line between them; undefined where all are empty: the
 * host's own prompt comes first, then what the step shows, then a reminder.
 */
export function joinSystemPrompt(...parts: readonly (string | undefined)[]): string | undefined {
  const shown = parts.filter((part) => part !== undefined && part !== '')
  return shown.length === 0 ? undefined : shown.join(BETWEEN)
}

/** The system messages of a framework that has several, as a prompt takes them. */
export interface SystemPrompt<Message> {
  /** All of them as one text; undefined if there is none. */
  readonly text: string | undefined
  /** Returns the messages with what a prompt made of the text: the last one has what follows them. */
  readonly messages: (
    text: string | undefined,
  ) => readonly ((Message | { readonly role: 'system' }) & { readonly content: string })[]
}

/** Makes one text of a framework's system messages, and messages of it again. For adapters. */
export function systemPrompt<Message extends { readonly content: string }>(
  own: readonly Message[],
): SystemPrompt<Message> {
  return {
    text: own.length === 0 ? undefined : own.map(({ content }) => content).join(BETWEEN),
    messages(text) {
      if (text === undefined) return []
      const first = own.slice(0, -1)
      const before = first.map(({ content }) => content + BETWEEN).join('')
      // The window has taken a section out of an earlier one.
      if (!text.startsWith(before)) return [{ role: 'system', ...own[0], content: text }]
      return [...first, { role: 'system', ...own.at(-1), content: text.slice(before.length) }]
    },
  }
}

/** Returns the names of the skills that fit, in a selective style; undefined where nothing says which do. */
function fittingOf({ context: { listing, match }, matched }: Step): ReadonlySet<string> | undefined {
  if (STYLES[listing.style].selective !== true || match === undefined) return undefined
  return matched && new Set(matched)
}

/**
 * Returns the list of a step, and whether a search is offered beside it.
 * @param fitting see `fittingOf`
 */
function listOf(step: Step, fitting: ReadonlySet<string> | undefined): ShownList {
  const { context, skills, active } = step
  const { use, match, matchedContents, listing } = context
  // What is active in a fork's parent session was never shown in this conversation.
  const shown = active.filter(({ inherited }) => inherited !== true)
  if (STYLES[listing.style].selective !== true || (fitting === undefined && shown.length === 0)) {
    return shownList(skills, listing, use.before)
  }
  const relevant = fitting === undefined ? skills : [...fitting].flatMap((name) => bySkillName(skills, name) ?? [])
  const isRead = match?.content === true && fitting !== undefined
  const contents = new Map(isRead ? relevant.map((skill) => [skill.name, matchedContents.textOf(skill)]) : [])
  const names = fitting && relevant.map(({ name }) => name)
  const key = JSON.stringify([shown.map(({ name }) => name), names, [...contents.values()]])
  // What is searched for needs no bare names: the room is for descriptions.
  return rememberedList(skills, listing, key, () => {
    const listed = shown.map(({ name }): MatchedActive => bySkillName(skills, name) ?? { name })
    return withSearch(skills, listing, (searchable) =>
      matchedList({ active: listed, relevant, contents }, listing, searchable),
    )
  })
}

/** The skills of a list by their names: it is the same list until a reload. */
const byName = new WeakMap<readonly Skill[], ReadonlyMap<string, Skill>>()

function bySkillName(skills: readonly Skill[], name: string): Skill | undefined {
  const known = byName.get(skills) ?? new Map(skills.map((skill) => [skill.name, skill]))
  byName.set(skills, known)
  return known.get(name)
}
