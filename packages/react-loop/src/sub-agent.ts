import type { FunctionTool } from '@repertoire/core'
import { DEFAULT_SUB_AGENT_STEPS, type ForkOptions as CoreForkOptions, forkOptions } from '@repertoire/core/adapter'
import {
  anyText,
  listOf,
  number,
  oneOf,
  type OptionKind,
  type OptionTable,
  tableOf,
  withDefault,
  withMethods,
} from '@repertoire/core/options'
import type { Model } from './model.ts'

/** An agent that runs skills with `context: fork`. Missing settings are those of the calling loop. */
export interface SubAgent {
  /** The sub-agent's system prompt. Default: a short text of core's that explains what a sub-agent is. */
  readonly instructions?: string
  readonly tools?: readonly FunctionTool[]
  /** A model that a skill names, and that is found, takes precedence. */
  readonly model?: Model
  readonly protocol?: 'native' | 'text'
  /** The maximum number of model calls. Default 20. An agent that needs more has failed. */
  readonly maxSteps?: number
}

/** How skills with `context: fork` run. */
export type ForkOptions = CoreForkOptions<SubAgent, Model>

export const TOOLS: OptionKind = listOf(
  withMethods('a tool { name, description, inputSchema, execute }', 'execute'),
  'a list of tools',
)

export const MAX_STEPS: OptionKind = withDefault(
  DEFAULT_SUB_AGENT_STEPS,
  number('model calls', { from: 1, isWhole: true }),
)

export const PROTOCOL: OptionKind = withDefault('native', oneOf('native', 'text'))

export const MODEL: OptionKind = withMethods('a model, such as openAICompatible({ … })', 'complete', 'stream')

export const FORK_OPTIONS: OptionTable<ForkOptions> = forkOptions(
  tableOf<SubAgent>({ instructions: anyText, tools: TOOLS, model: MODEL, protocol: PROTOCOL, maxSteps: MAX_STEPS }),
)
