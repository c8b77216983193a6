import type { ForkRunner } from '@repertoire/core'
import { adapterSession, DEFAULT_SUB_AGENT_STEPS, subAgentFor, unfinishedForkError } from '@repertoire/core/adapter'
import type { AnyModel, Binding, ForkOptions, RunOptions, SubAgent } from './binding.ts'

/** What a sub-agent is run with. */
export interface SubRun {
  readonly session: Binding['session']
  readonly agent: SubAgent & { readonly instructions: string; readonly model: AnyModel }
  readonly message: string
  readonly options: RunOptions
}

/** What a run of a sub-agent ends with, as far as it is read. */
export interface Ended {
  readonly text: string
  readonly finishReason: string | undefined
  readonly steps: readonly unknown[]
  readonly totalUsage: { readonly inputTokens?: number | undefined; readonly outputTokens?: number | undefined }
}

/**
 * Runs each sub-agent of a skill with a run of its own.
 * @param options the caller's: its tools and its request context are the sub-agent's too
 */
export function forkRunner(
  { subagents, resolveModel }: ForkOptions,
  parentModel: () => AnyModel,
  { requestContext, toolsets, clientTools, requireToolApproval, modelSettings, providerOptions }: RunOptions,
  run: (sub: SubRun) => Promise<Ended>,
): ForkRunner {
  return async (request) => {
    const { agent, model } = subAgentFor(request, { subagents, resolveModel, parentModel: parentModel() })
    const { maxSteps = DEFAULT_SUB_AGENT_STEPS, instructions = request.system } = agent ?? {}
    const given = { requestContext, toolsets, clientTools, requireToolApproval, modelSettings, providerOptions }
    const { text, finishReason, steps, totalUsage } = await run({
      session: adapterSession(request.session),
      agent: { ...agent, instructions, model },
      message: request.message,
      options: {
        ...(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as RunOptions),
        maxSteps,
        abortSignal: request.signal,
      },
    })
    request.signal?.throwIfAborted()
    if (finishReason === 'tool-calls' && steps.length >= maxSteps) throw unfinishedForkError(maxSteps)
    const { inputTokens, outputTokens } = totalUsage
    return {
      text,
      usage: { inputTokens, outputTokens },
    }
  }
}
