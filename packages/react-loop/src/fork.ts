import type { ForkRequest, ForkRunner } from '@repertoire/core'
import { DEFAULT_SUB_AGENT_STEPS, subAgentFor, unfinishedForkError } from '@repertoire/core/adapter'
import type { LoopEvent, LoopResult } from './events.ts'
import type { ReActLoopOptions, Run, Runner } from './options.ts'

/**
 * Runs each sub-agent of a skill with a separate loop.
 * @param createForkLoop creates a loop that asks no questions
 */
export function forkRunner(
  parent: ReActLoopOptions,
  { streamed, emit }: Pick<Run, 'streamed' | 'emit'>,
  createForkLoop: (options: ReActLoopOptions) => Runner,
): ForkRunner {
  return async (request) => {
    const { skill, callId, session, signal, message } = request
    const subAgent = { skill, callId, session: session.id }
    let result: LoopResult | undefined
    emit({ type: 'fork-start', ...subAgent })
    try {
      const run = createForkLoop(settingsOf(request, parent))
      result = await run(message, { signal, streamed, emit: forkEvents(emit) })
    } finally {
      emit({ type: 'fork-end', ...subAgent, result })
    }
    const { text, usage, steps, finishReason } = result
    if (finishReason === 'max-steps') throw unfinishedForkError(steps)
    return { text, usage }
  }
}

function settingsOf(request: ForkRequest, parent: ReActLoopOptions): ReActLoopOptions {
  const { subagents, resolveModel, model: parentModel } = parent
  const { agent, model } = subAgentFor(request, { subagents, resolveModel, parentModel })
  return {
    ...parent,
    session: request.session,
    model,
    instructions: agent?.instructions ?? request.system,
    tools: agent?.tools ?? parent.tools ?? [],
    protocol: agent?.protocol ?? parent.protocol ?? 'native',
    maxSteps: agent?.maxSteps ?? DEFAULT_SUB_AGENT_STEPS,
  }
}

/** The parent run emits only the start and the end of forks. */
function forkEvents(emit: (event: LoopEvent) => void): (event: LoopEvent) => void {
  return (event) => {
    if (event.type === 'fork-start' || event.type === 'fork-end') emit(event)
  }
}
