import type { Turn } from '@repertoire/core'
import type { LanguageModel, ModelMessage, PrepareStepFunction, ToolCallRepairFunction, ToolSet } from 'ai'
import type { ForkOptions, System } from './fork.ts'

/** The host's own settings that interact with skills. All others are passed to AI SDK as usual. */
export interface SkillsOptions<TOOLS extends ToolSet> extends ForkOptions {
  /** The host's own system prompt. */
  readonly system?: System | undefined
  /**
   * The host's own tools. Each has an `execute`, or the provider runs it: AI SDK 6 hands the calls of other tools to
   * the client, and no code can judge them before.
   */
  readonly tools?: TOOLS | undefined
  // `any`: with `exactOptionalPropertyTypes`, the type of version 6 does not take its own `ToolSet`.
  /** The host's own `prepareStep`. Its `activeTools` are names of the host's own tools. */
  readonly prepareStep?: PrepareStepFunction<any> | undefined
  /** Names of the host's own tools that are offered, if `prepareStep` does not say. The skill tools always are. */
  readonly activeTools?: readonly string[] | undefined
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
  /** The host's tools behind the gate, and the skill tools. A step may add more: pass this object, and no copy. */
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
  readonly experimental_context?: unknown
}
