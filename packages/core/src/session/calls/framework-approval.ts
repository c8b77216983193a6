import type { ConsentDecision } from '../../ports/consent.ts'
import type { ToolCall } from '../../ports/tool.ts'
import type { AdapterSession } from '../adapter-session.ts'
import { isSameCall } from '../consent/decision.ts'
import type { StepCalls } from '../session.ts'
import { standsFor } from './stand-in.ts'

/**
 * Records a person's yes or no, which the framework reports for a call, as the answer to the request of that call which
 * was opened last. If the folder has changed since, a yes to it does not count, and the call waits again.
 * @param calls the step of the call; without one the session
 * @returns whether the call has waited for an answer
 */
export async function recordDecision(
  session: AdapterSession,
  calls: StepCalls,
  call: ToolCall,
  decision: ConsentDecision,
): Promise<boolean> {
  const { meant, turn } = standsFor(call)
  const callId = turn?.id ?? meant.id
  const { waits } = await calls.preview(call)
  const waiting = session.state.open.filter((each) => each.callId === callId && each.approved === undefined)
  // Sub-agents of one session may give their calls one id; a call that needs no answer any more gives none to others.
  const last = waits && waiting.findLast(({ id }) => isSameCall(id, waits.id))
  if (last !== undefined) session.answer({ requestId: last.id, ...decision })
  return waiting.length > 0
}
