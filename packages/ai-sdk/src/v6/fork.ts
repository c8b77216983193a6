import type { ForkOptions as CoreForkOptions } from '@repertoire/core/adapter'
import type { generateText, LanguageModel, SystemModelMessage, ToolSet } from 'ai'

/** The system prompt of AI SDK 6. */
export type System = string | SystemModelMessage | SystemModelMessage[]

/** An agent that runs skills with `context: fork`. Missing settings are the host's own. */
export interface SubAgent {
  /** The sub-agent's system prompt. Default: a short text of core's that explains what a sub-agent is. */
  readonly instructions?: System
  /** The tools that the sub-agent has. Default: the host's own tools. */
  readonly tools?: ToolSet
  /** The sub-agent's model. One that a skill names, and that is found, takes precedence. Default: that of the step. */
  readonly model?: LanguageModel
  /** The maximum number of model calls. Default 20. An agent that needs more has failed. */
  readonly maxSteps?: number
  /** Its settings for `generateText`. */
  readonly settings?: Partial<Parameters<typeof generateText>[0]>
}

/** How skills with `context: fork` run. */
export type ForkOptions = CoreForkOptions<SubAgent, LanguageModel>
