import type { ForkRequest, ForkRunner } from '@repertoire/core'
import { agentFor, modelFor, DEFAULT_SUB_AGENT_STEPS, unfinishedForkError } from '@repertoire/core/adapter'
import type { LoopEvent, LoopResult } from './events.ts'
import type { ReActLoopOptions, Run, Runner } from './options.ts'

/** What sub-agents are run with. */
interface ForkParts extends Pick<Run, 'streamed' | 'emit'> {
  /** Makes a loop in which nobody is asked. */
  readonly loopOver: (options: ReActLoopOptions) => Runner
}

/** Runs the sub-agents of skills, each by a loop of its own. */
export function forkRunner(above: ReActLoopOptions, { streamed, emit, loopOver }: ForkParts): ForkRunner {
  return async (request) => {
    const { skill, callId, session, signal, message } = request
    const place = { skill, callId, session: session.id }
    let result: LoopResult | undefined
    emit({ type: 'fork-start', ...place })
    try {
      const run = loopOver(settingsOf(request, above))
      result = await run(message, { signal, streamed, emit: ofForks(emit) })
    } finally {
      emit({ type: 'fork-end', ...place, ...(result !== undefined && { result }) })
    }
    const { text, usage, steps, finishReason } = result
    if (finishReason === 'max-steps') throw unfinishedForkError(steps)
    return { text, usage }
  }
}

function settingsOf(request: ForkRequest, above: ReActLoopOptions): ReActLoopOptions {
  const { onConsent: _, ...settings } = above
  const agent = agentFor(above.agents, request)
  return {
    ...settings,
    session: request.session,
    model: modelFor(request, { resolveModel: above.resolveModel, agent, parentModel: above.model }),
    instructions: agent?.instructions ?? request.system,
    tools: agent?.tools ?? above.tools ?? [],
    protocol: agent?.protocol ?? above.protocol ?? 'native',
    maxSteps: agent?.maxSteps ?? DEFAULT_SUB_AGENT_STEPS,
  }
}

/** Only where forks begin and end is told above. */
function ofForks(emit: (event: LoopEvent) => void): (event: LoopEvent) => void {
  return (event) => {
    if (event.type === 'fork-start' || event.type === 'fork-end') emit(event)
  }
}
