import type { ForkRunner } from '@repertoire/core'
import {
  adapterSession,
  DEFAULT_SUB_AGENT_STEPS,
  subAgentFor,
  unattendedError,
  unfinishedForkError,
} from '@repertoire/core/adapter'
import { MaxTurnsExceededError } from '@openai/agents'
import { skilled } from './agents.ts'
import { type AnyAgent, bind, type Binding, chosenModel } from './binding.ts'

/**
 * Runs each sub-agent of a skill with its own run.
 * @param context the host's, for its tools
 */
export function forkRunner(binding: Binding, caller: AnyAgent, context: unknown): ForkRunner {
  return async (request) => {
    const { subagents, resolveModel, runner } = binding
    const parentModel = binding.model ?? chosenModel(binding, caller)
    const { agent, model } = subAgentFor(request, { subagents, resolveModel, parentModel })
    const child = bind({
      session: adapterSession(request.session),
      runner,
      unattended: true,
      fork: forkRunner,
      subagents,
      resolveModel,
    })
    const { maxTurns = DEFAULT_SUB_AGENT_STEPS, instructions = request.system, tools, modelSettings } = agent ?? {}
    const subAgent = skilled(child, caller, {
      instructions,
      model,
      handoffs: [],
      inputGuardrails: [],
      outputGuardrails: [],
      outputType: 'text',
      toolUseBehavior: 'run_llm_again',
      ...(tools !== undefined && { tools }),
      ...(modelSettings !== undefined && { modelSettings, hasExplicitModelSettings: () => true }),
    })
    try {
      const options = { maxTurns, signal: request.signal, context }
      const { finalOutput, interruptions, state } = await runner.run(subAgent, request.message, options)
      if (interruptions.length > 0) throw unattendedError()
      const { inputTokens, outputTokens } = state.usage
      return { text: String(finalOutput ?? ''), usage: { inputTokens, outputTokens } }
    } catch (error) {
      throw error instanceof MaxTurnsExceededError ? unfinishedForkError(maxTurns) : error
    }
  }
}
