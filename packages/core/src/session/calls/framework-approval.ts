import type { ConsentDecision } from '../../ports/consent.ts'
import type { ToolCall } from '../../ports/tool.ts'
import type { AdapterSession } from '../adapter-session.ts'
import type { StepCalls } from '../session.ts'
import { standsFor } from './stand-in.ts'

/** What a person has to decide about a call before it is carried out. */
export interface CallQuestions {
  /** The call waits for an answer to the session's request for consent. */
  readonly asks: boolean
  /** The framework's own approval may ask about it: the call is neither refused nor preapproved. */
  readonly mayWait: boolean
}

/**
 * Opens the request for consent of a framework's call, if it needs one, and says what else may ask about it. For frameworks
 * that ask before a call is carried out.
 * @param calls the step of the call
 */
export async function openQuestions(calls: StepCalls, call: ToolCall): Promise<CallQuestions> {
  const { waits, refusal, isSkills, preapproved } = await calls.preview(call, { asks: true })
  return { asks: waits !== undefined, mayWait: isSkills !== true && refusal === undefined && !preapproved }
}

/**
 * Records a person's yes or no, which the framework reports for a call, as the answer to the request that the call waits for.
 * A yes to what the skill's folder held before does not count.
 * @param calls the step of the call; without one the session
 * @param whenOutdated whether such a yes leaves the call to be asked about once more, or denies it where the framework
 * cannot wait twice
 * @returns whether the call has waited for an answer
 */
export async function recordDecision(
  session: AdapterSession,
  calls: StepCalls,
  call: ToolCall,
  { approved, reason }: ConsentDecision,
  whenOutdated: 'ask' | 'deny',
): Promise<boolean> {
  const { meant, turn } = standsFor(call)
  const callId = turn?.id ?? meant.id
  const waiting = session.state.open.filter((each) => each.callId === callId && each.approved === undefined)
  const last = waiting.at(-1)
  if (last === undefined) return false
  // If the folder has changed since, this is another request, and nobody has seen it.
  const requestId = (await calls.preview(call, { asks: true })).waits?.id ?? last.id
  const isMeant = waiting.some(({ id }) => id === requestId)
  if (approved && !isMeant && whenOutdated === 'ask') return true
  session.answer({ requestId, approved: approved && isMeant, reason })
  return true
}
