import type { Session, Turn } from '@repertoire/core'
import { adapterSession } from '@repertoire/core/adapter'
import { checkOptions, type OptionTable, required, sessionKind } from '@repertoire/core/options'
import type {
  LanguageModel,
  ModelMessage,
  PrepareStepFunction,
  SystemModelMessage,
  ToolCallRepairFunction,
  ToolSet,
} from 'ai'
import type { ForkOptions as AnyForkOptions } from '../fork.ts'
import {
  join,
  SKILLS_OPTIONS,
  type SkillsOptions as AnyOptions,
  type SkillsSettings as Settings,
} from '../with-skills.ts'
import type { ForkOptions } from './fork.ts'
import { everyStep } from './steps.ts'
import { approvalOfTools, withApproval } from './tools.ts'

/** The system prompt of AI SDK 6. */
export type System = string | SystemModelMessage | SystemModelMessage[]

/** The host's own settings that interact with skills. All others are passed to AI SDK as usual. */
export interface SkillsOptions<TOOLS extends ToolSet> extends ForkOptions {
  /** The host's own system prompt. */
  readonly system?: System | undefined
  /**
   * The host's own tools. Each has an `execute`, or the provider runs it: AI SDK 6 hands the calls of other tools to the
   * client, and no code can judge them before.
   */
  readonly tools?: TOOLS | undefined
  /** The host's own `prepareStep`. Its `activeTools` are names of the host's own tools. */
  readonly prepareStep?: PrepareStepFunction<NoInfer<TOOLS>> | undefined
  /** The host's own `experimental_repairToolCall`, called for calls that core cannot match with a tool either. */
  readonly repairToolCall?: ToolCallRepairFunction<NoInfer<TOOLS>> | undefined
  /**
   * The run's signal. Passed here, so that it also stops what a person's message starts, such as the sub-agent of
   * `/name`. For a `ToolLoopAgent`, pass it again with each call.
   */
  readonly abortSignal?: AbortSignal | undefined
  /** Saves the session. Called when it has changed, as in the entry for version 7. */
  readonly save?: (() => void | Promise<void>) | undefined
  /** Called with what a person's message did before the model was called. */
  readonly onTurn?: ((turn: Turn) => void | Promise<void>) | undefined
}

/** Settings for `generateText` and `streamText`, to be spread into the others. */
export interface SkillsSettings<TOOLS extends ToolSet> {
  readonly system?: System
  readonly abortSignal?: AbortSignal
  /** The host's tools behind the gate, with the skill tools among them. A step may add more: pass this object, and no copy. */
  readonly tools: TOOLS
  readonly prepareStep: (options: StepOptions) => Promise<object>
  readonly experimental_repairToolCall: ToolCallRepairFunction<ToolSet>
}

/** What AI SDK 6 passes when a step begins. */
export interface StepOptions {
  readonly steps: object[]
  readonly stepNumber: number
  readonly model: LanguageModel
  readonly messages: ModelMessage[]
  readonly experimental_context: unknown
}

const { instructions, toolApproval: _, ...SHARED } = SKILLS_OPTIONS
export const OPTIONS: OptionTable<SkillsOptions<ToolSet>> = { ...SHARED, system: instructions }

/**
 * Combines a session's skills with a host's own settings for AI SDK 6: the model is shown the skills, and all its calls
 * pass the session. Spread the returned object last. A `ToolLoopAgent` takes `system` as `instructions`.
 *
 * @throws {TypeError} an option has an unknown name or a value of the wrong kind; a host tool has the name of a skill
 * tool, or has no `execute`
 */
export function withSkills<TOOLS extends ToolSet>(
  session: Session,
  options: SkillsOptions<TOOLS> & { readonly tools: TOOLS },
): SkillsSettings<TOOLS>
export function withSkills(session: Session, options?: SkillsOptions<{}>): SkillsSettings<{}>
export function withSkills(session: Session, options: SkillsOptions<ToolSet> = {}): SkillsSettings<ToolSet> {
  checkOptions('withSkills', { session: required(sessionKind) }, { session })
  checkOptions('withSkills', OPTIONS, options, 'withSkills(session, { tools })')
  return joined(session, options)
}

/** Does what `withSkills` does, with options that were checked. */
export function joined(
  session: Session,
  options: SkillsOptions<ToolSet>,
  deciding: Pick<Parameters<typeof join>[2], 'onDecided'> = {},
): SkillsSettings<ToolSet> {
  const { system, tools = {}, prepareStep, repairToolCall, abortSignal, save, onTurn } = options
  const settings = join(
    adapterSession(session),
    {
      instructions: system,
      tools,
      toolApproval: approvalOfTools(tools),
      // The types are those of version 7, whose steps have more properties.
      prepareStep: prepareStep as AnyOptions<ToolSet>['prepareStep'],
      repairToolCall: repairToolCall,
      abortSignal,
      save,
      onTurn,
      ...(forksOf(options) as AnyForkOptions),
    },
    { canApprove: true, toolOf: withApproval, formOf: settingsOf, ...deciding },
  )
  return settingsOf(settings)
}

function forksOf({ subagents, resolveModel }: ForkOptions): ForkOptions {
  return { ...(subagents !== undefined && { subagents }), ...(resolveModel !== undefined && { resolveModel }) }
}

/** The settings of version 7 in the names and the order of events of version 6. */
function settingsOf(settings: Settings<ToolSet>): SkillsSettings<ToolSet> {
  const { instructions: system, abortSignal, tools, prepareStep, repairToolCall } = settings
  return {
    ...(system !== undefined && { system: system }),
    ...(abortSignal !== undefined && { abortSignal }),
    tools,
    prepareStep: everyStep(prepareStep, system),
    experimental_repairToolCall: repairToolCall,
  }
}
