import type { ForkRunner, Session } from '@repertoire/core'
import {
  type ForkOptions as CoreForkOptions,
  forkOptions,
  subAgentFor,
  DEFAULT_SUB_AGENT_STEPS,
  unfinishedForkError,
} from '@repertoire/core/adapter'
import {
  anything,
  anyText,
  either,
  foreign,
  number,
  type OptionTable,
  recordOf,
  tableOf,
  withDefault,
} from '@repertoire/core/options'
import { generateText, type Instructions, type LanguageModel, type ToolSet } from 'ai'
import type { HostApproval } from './approval.ts'
import type { SubAgentSettings } from './call-settings.ts'

/** An agent that runs skills with `context: fork`. Missing settings are the host's own. */
export interface SubAgent {
  /** The sub-agent's system prompt. Default: a short text of core's that explains what a sub-agent is. */
  readonly instructions?: Instructions
  /** The tools that the sub-agent has. Default: the host's own tools. */
  readonly tools?: ToolSet
  /**
   * The sub-agent's model. A model that a skill names, and that is found, takes precedence. Default: the model of the
   * calling step.
   */
  readonly model?: LanguageModel
  /** The maximum number of model calls. Default 20. An agent that needs more has failed. */
  readonly maxSteps?: number
  /**
   * Its settings for `generateText`. If it uses the model of the parent run, missing settings are those of that run's
   * last model call, except `maxRetries`, `timeout`, `telemetry`, `toolCallConcurrency` and `stopWhen`, which AI SDK
   * does not expose: for these, AI SDK's defaults apply. A run that `stopWhen` ends counts as finished; it ends at
   * `maxSteps` at the latest.
   */
  readonly settings?: SubAgentSettings
}

/** How skills with `context: fork` run. */
export type ForkOptions = CoreForkOptions<SubAgent, LanguageModel>

const subAgent = tableOf<SubAgent>({
  instructions: either(anyText, foreign('a system prompt')),
  tools: recordOf(anything, 'an object of tools'),
  model: foreign('a model'),
  maxSteps: withDefault(DEFAULT_SUB_AGENT_STEPS, number('model calls', { from: 1, isWhole: true })),
  settings: recordOf(anything, 'settings for `generateText`'),
})

export const FORK_OPTIONS: OptionTable<ForkOptions> = forkOptions(subAgent)

/** What a step passes to its sub-agents. */
export interface ParentStep {
  readonly model: LanguageModel
  /** The host's `toolsContext`, `runtimeContext` and sandbox, for its tools. */
  readonly contexts: object
  /** The last model call, if there was one. */
  readonly called?: { readonly model: LanguageModel; readonly settings: SubAgentSettings }
}

/** What a sub-agent is created from. */
interface ForkParts extends ForkOptions {
  readonly tools: ToolSet
  readonly toolApproval: HostApproval | undefined
  /** The current step. */
  readonly parentStep: () => ParentStep | undefined
  /** Combines a sub-agent's settings with its skills: as for the host, except that no one can approve calls. */
  readonly join: (session: Session, settings: object) => object
}

/** Runs each sub-agent of a skill with a separate `generateText`. */
export function forkRunner(parts: ForkParts): ForkRunner {
  const { subagents, resolveModel, toolApproval, join } = parts
  return async (request) => {
    const { agent, model } = subAgentFor(request, { subagents, resolveModel, parentModel: parts.parentStep()?.model })
    const skills = join(request.session, {
      instructions: agent?.instructions ?? request.system,
      tools: agent?.tools ?? parts.tools,
      toolApproval,
      subagents,
      resolveModel,
    })
    // Settings belong to a model, and headers may contain a key: they are not sent to another endpoint.
    const { called } = parts.parentStep() ?? {}
    const { stopWhen = [], ...settings } = { ...(called?.model === model && called.settings), ...agent?.settings }
    const maxSteps = agent?.maxSteps ?? DEFAULT_SUB_AGENT_STEPS
    const { text, totalUsage, finishReason, steps } = await generateText({
      ...settings,
      model,
      messages: [{ role: 'user', content: request.message }],
      stopWhen: [({ steps: { length } }) => length >= maxSteps, ...[stopWhen].flat()],
      abortSignal: request.signal,
      ...parts.parentStep()?.contexts,
      ...skills,
    })
    if (finishReason === 'tool-calls' && steps.length >= maxSteps) throw unfinishedForkError(steps.length)
    return { text, usage: { inputTokens: totalUsage.inputTokens, outputTokens: totalUsage.outputTokens } }
  }
}
