import type { ConsentDecision } from '../../ports/consent.ts'
import type { ToolCall } from '../../ports/tool.ts'
import type { AdapterSession } from '../adapter-session.ts'
import type { StepCalls } from '../session.ts'
import { consentSubject } from './stand-in.ts'

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
 * @param calls the step of the call; without one the session
 */
export async function openQuestions(session: AdapterSession, calls: StepCalls, call: ToolCall): Promise<CallQuestions> {
  const subject = consentSubject(session, call)
  if (subject === undefined) return { asks: false, mayWait: false }
  const request = await calls.openConsent(subject)
  const asks = session.state.open.some(({ id, approved }) => id === request?.id && approved === undefined)
  if (!('tool' in subject)) return { asks, mayWait: false }
  const { refusal, preapproved } = await calls.inspect(subject)
  return { asks, mayWait: refusal === undefined && !preapproved }
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
  const subject = consentSubject(session, call)
  const waiting = session.state.open.filter((each) => each.callId === subject?.id && each.approved === undefined)
  const last = waiting.at(-1)
  if (last === undefined) return false
  // If the folder has changed since, this is another request, and nobody has seen it.
  const requestId = (await calls.openConsent(subject!))?.id ?? last.id
  const isMeant = waiting.some(({ id }) => id === requestId)
  if (approved && !isMeant && whenOutdated === 'ask') return true
  session.answer({ requestId, approved: approved && isMeant, reason })
  return true
}

/**
 * Returns those tools whose calls cannot be judged before they run, and which models may therefore not be offered now.
 * Providers, clients and some frameworks run tools themselves. Such a tool is offered only if each of its calls is allowed
 * and nobody has to be asked. It is checked with a call without input, which no rule for certain arguments allows.
 * @param names the tools that no function of the host's runs
 */
export async function unjudgedTools(calls: StepCalls, names: Iterable<string>): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (const tool of names) {
    const { refusal, asks } = await calls.inspect({ id: '', tool, input: {} })
    if (refusal !== undefined || asks) found.add(tool)
  }
  return found
}
