import { listAsSection, listAsXml, listForTool, type ListingStyle } from '../disclosure/listing.ts'
import { navigationGuidance } from '../disclosure/guidance.ts'
import { mayUse, type Policy } from '../gate/index.ts'
import { skillTools } from '../tools/definitions.ts'
import type { Skill, ToolDefinition } from '../types.ts'
import type { SessionContext } from './context.ts'
import { shellTool } from './shell-tool.ts'
import type { ActiveSkill } from './state.ts'

/** What the model is to be shown in one call. */
export interface StepView {
  /** The skill tools; none where no skill is visible. A skill that is active without being so can still be left. */
  readonly tools: readonly ToolDefinition[]
  /** The list of skills and how to use them, for the system prompt; empty where no skill is visible. */
  readonly instructions: string
  /** The host's own system prompt with `instructions` after it; undefined where there is neither. */
  system(own: string | undefined): string | undefined
  /** Whether a host's tool is out of reach of every allowed call, so that the model need not be shown it. A courtesy: the gate refuses anyway. */
  hides(hostTool: string): boolean
}

/** What a step is made of. */
export interface Step {
  readonly context: SessionContext
  /** Those that are visible. */
  readonly skills: readonly Skill[]
  readonly hostTools: readonly string[]
  readonly active: readonly ActiveSkill[]
  readonly policy: Policy
}

/** Puts together what a step shows. */
export function viewStep({ context, skills, hostTools, active, policy }: Step): StepView {
  const { toolNames, style, toolArguments } = context
  const list = listing(style, skills)
  // The same at every step, whatever is active: a system prompt that changes costs the provider's prompt cache.
  const shell = shellTool(toolArguments, hostTools)
  const parts =
    skills.length === 0
      ? []
      : [style === 'tool' ? '' : list, navigationGuidance({ ...toolNames, ...(shell !== undefined && { shell }) })]
  const instructions = parts.filter((part) => part !== '').join('\n\n')
  return {
    tools: skillTools(skills, toolNames, { list: style === 'tool' ? list : '', isAnyActive: active.length > 0 }),
    instructions,
    system: (own) => [own ?? '', instructions].filter((part) => part !== '').join('\n\n') || undefined,
    hides: (hostTool) => !mayUse(policy, hostTool),
  }
}

const LISTINGS = { xml: listAsXml, section: listAsSection, tool: listForTool }

// Frameworks begin a step, and some open a session, for every call of the model: the list is the same each time.
const listed = new WeakMap<readonly Skill[], Map<ListingStyle, string>>()

function listing(style: ListingStyle, skills: readonly Skill[]): string {
  const known = listed.get(skills) ?? new Map<ListingStyle, string>()
  const text = known.get(style) ?? LISTINGS[style](skills)
  listed.set(skills, known.set(style, text))
  return text
}
