import type { ListingCuts } from '../../disclosure/fit.ts'
import { navigationGuidance } from '../../disclosure/guidance.ts'
import { mayUse, shellTool, type Toolset, type GateMode, type ToolDefinition } from '@repertoire/gate/internal'
import { activateTool, toolsOfActive } from '../../tools/definitions.ts'
import type { SkillList } from '../../tools/skill-list.ts'
import { searchTool } from '../../tools/search-tool.ts'
import { hasSkillTools, STYLES } from '../../tools/styles/table.ts'
import { offersScripts } from '../scripts/script-gate.ts'
import { fittingOf, listOf } from './list.ts'
import { joinSystemPrompt } from './system-prompt.ts'
import type { Step } from './step.ts'

/** What the model is to be shown in one call. */
export interface StepView {
  /**
   * The skill tools; none where no skill is visible or active. In the style `tools` first those that are always the same,
   * then `perSkill`. Last the tools that active skills bring: calls of these, too, are carried out by the session.
   */
  readonly tools: readonly ToolDefinition[]
  /** The tools that stand for one skill each, in the style `tools`: they come and go with the skills. Otherwise none. */
  readonly perSkill: readonly ToolDefinition[]
  /** The list of skills and how to use them, for the system prompt; empty where no skill is visible. */
  readonly instructions: string
  /** What was cut from the list to keep to its budget. Empty lists of names where nothing was. */
  readonly cuts: ListingCuts
  /** Returns the host's own system prompt with `instructions` after it; undefined where there is neither. */
  system(own: string | undefined): string | undefined
  /** Whether no call of a host's tool would be allowed, so that the model need not be shown it. The gate refuses it anyway. */
  hides(hostTool: string): boolean
}

/** The section of a skill that is not active, in the system prompt of a step. */
export interface ShownSection {
  readonly name: string
  /** As it stands there. */
  readonly text: string
  /** `relevant`: the host's matcher found it. */
  readonly fit: 'relevant' | 'inactive'
}

/** Makes what a step shows, and a function that returns the sections of the skills that are not active. */
export function viewStep(step: Step): { readonly view: StepView; readonly sections: () => readonly ShownSection[] } {
  const { skills, policy, context, hostTools } = step
  const tools = context.tools.of(hostTools)
  const { list, isSearched } = listOf(step, fittingOf(step))
  const { tools: ofSkills, instructions } = shownOf(step, list, isSearched)
  const perSkill = skills.length === 0 ? [] : list.tools
  return {
    view: {
      tools: [...ofSkills, ...(step.brought ?? [])],
      perSkill,
      instructions,
      cuts: list.cuts,
      system: (own) => promptOf(own, instructions),
      hides: (hostTool) => !mayUse(policy, hostTool, tools),
    },
    sections: () => {
      const fit = context.match === undefined ? 'inactive' : 'relevant'
      return (skills.length === 0 ? [] : (list.sections?.() ?? [])).map((section) => ({ ...section, fit }))
    },
  }
}

/** The prompt that was made last, and what of: it is the same at every step, and to lay its parts together takes long. */
let latest:
  | { readonly own: string | undefined; readonly instructions: string; readonly prompt: string | undefined }
  | undefined

function promptOf(own: string | undefined, instructions: string): string | undefined {
  if (latest?.instructions !== instructions || latest.own !== own) {
    latest = { own, instructions, prompt: joinSystemPrompt(own, instructions) }
  }
  return latest.prompt
}

/** What a step shows of a list of skills. */
interface Shown {
  readonly tools: readonly ToolDefinition[]
  readonly instructions: string
}

/** What is the same for all steps of a repertoire, and what differs between them apart from the list and the tools. */
type ShownBy = Pick<Step['context'], 'toolNames' | 'listing' | 'scripts' | 'mounts'> & {
  readonly mode: GateMode
  readonly runsScripts: boolean
  readonly isSearched: boolean
}

// A step shows what the one before it has shown, unless a skill or a tool has come or gone.
const known = new WeakMap<SkillList, WeakMap<Toolset, Shown & { readonly by: ShownBy }>>()

function shownOf(step: Step, list: SkillList, isSearched: boolean): Shown {
  const { context, skills, active, hostTools } = step
  const { toolNames, listing, scripts, mounts } = context
  const runsScripts = offersScripts(context, active, hostTools)
  const { mode } = context.gate
  const by: ShownBy = { toolNames, listing, scripts, mounts, mode, runsScripts, isSearched }
  if (skills.length === 0) {
    return { tools: active.length > 0 ? toolsOfActive(toolNames, by) : [], instructions: '' }
  }
  const toolset = context.tools.of(hostTools)
  const ofList = known.get(list) ?? new WeakMap<Toolset, Shown & { readonly by: ShownBy }>()
  const found = ofList.get(toolset)
  if (found !== undefined && isSame(found.by, by)) return found
  const shown = { tools: toolsOf(list, by), instructions: instructionsOf(step, list, isSearched), by }
  known.set(list, ofList.set(toolset, shown))
  return shown
}

function isSame(one: ShownBy, other: ShownBy): boolean {
  return (
    one.toolNames === other.toolNames &&
    one.listing === other.listing &&
    one.scripts === other.scripts &&
    one.mounts === other.mounts &&
    one.mode === other.mode &&
    one.runsScripts === other.runsScripts &&
    one.isSearched === other.isSearched
  )
}

function toolsOf(
  { enumerated, text, tools }: SkillList,
  { toolNames, listing, mode, runsScripts, isSearched }: ShownBy,
): readonly ToolDefinition[] {
  const ofActive = toolsOfActive(toolNames, { mode, runsScripts })
  const list = STYLES[listing.style].place === 'activation-tool' ? text : ''
  const search = isSearched ? [activateTool(undefined, toolNames, list), searchTool(toolNames)] : []
  if (hasSkillTools(listing.style)) return [...search, ...ofActive, ...tools]
  return isSearched ? [...search, ...ofActive] : [activateTool(enumerated, toolNames, list), ...ofActive]
}

function instructionsOf({ context, hostTools }: Step, list: SkillList, isSearched: boolean): string {
  const { text } = list
  const { toolNames, tools, listing } = context
  const { place } = STYLES[listing.style]
  const { activate, deactivate, readResource, runScript, search } = toolNames
  const toolset = tools.of(hostTools)
  const shell = shellTool(toolset)
  // Unless the style is selective, the same at every step: a system prompt that changes costs the provider's prompt cache.
  const guidance = navigationGuidance({
    ...(!hasSkillTools(listing.style) && { activate }),
    deactivate,
    readResource,
    ...(context.scripts !== undefined && { runScript }),
    ...(isSearched && { search }),
    ...(shell !== undefined && { shell }),
    ...(context.mounts !== undefined && { mounted: true }),
    mode: context.gate.mode,
  })
  if (text === '' || place === 'activation-tool') return guidance
  // No `join`: it would copy a long list at every step, also where nobody reads it.
  return place === 'after-guidance' ? `${guidance}\n\n${text}` : `${text}\n\n${guidance}`
}
