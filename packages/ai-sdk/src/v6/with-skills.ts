import type { Session, Turn } from '@repertoire/core'
import { checkOptions, required, sessionKind } from '@repertoire/core/options'
import type {
  LanguageModel,
  ModelMessage,
  PrepareStepFunction,
  SystemModelMessage,
  ToolCallRepairFunction,
  ToolSet,
} from 'ai'
import type { ForkOptions } from './fork.ts'
import { joined, OPTIONS } from './join.ts'

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
  // `any`: with `exactOptionalPropertyTypes`, the type of version 6 does not take its own `ToolSet`.
  /** The host's own `prepareStep`. Its `activeTools` are names of the host's own tools. */
  readonly prepareStep?: PrepareStepFunction<any> | undefined
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
