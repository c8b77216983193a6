import { isSkillError } from '@repertoire/skill-md/internal'
import type { ConsentDecision, ConsentHandler, ConsentRequest } from '../../ports/consent.ts'
import { readConsentAnswer } from './answer.ts'
import type { AskOptions, Place } from './questions.ts'
import { inTime } from '../../time-limit.ts'
import { failureReason } from '../refusal.ts'
import type { SessionContext } from '../context.ts'
import type { StateHolder } from '../state/holder.ts'

/** How often somebody is asked about one call, if the folder changes while the answer is waited for. */
export const MAX_QUESTIONS = 3

/**
 * Asks a handler, when it is this call's turn. Only `true`, or `approved: true` for exactly this request, approves. A
 * throw, anything else, and silence for longer than `timeoutMs` deny.
 * @param options.signal aborts the run that asks: the request is then abandoned, which decides nothing
 * @throws the signal's reason
 */
export async function ask(
  place: Pick<Place, 'ask'>,
  handler: ConsentHandler,
  request: ConsentRequest,
  options: AskOptions,
): Promise<ConsentDecision> {
  try {
    const answer: unknown = await place.ask((signal) => handler(request, { signal }), options)
    return answer === true ? { approved: true } : readConsentAnswer(answer, request.id)
  } catch (error) {
    options.signal?.throwIfAborted()
    const isLate = isSkillError(error) && error.code === 'TIMED_OUT'
    return { approved: false, reason: isLate ? 'nobody answered in time' : 'consent could not be requested' }
  }
}

/** Why a call does not begin a second time. */
export const BEGUN_BEFORE = 'this very call was approved and begun before'

/** Why a call is not carried out though somebody may have agreed to it. */
const NOT_KNOWN =
  'an answer came, but this session does not have the request that it belongs to, so it does not count. Ask again'

/**
 * The decision about a call without an answer. If an answer came for a request that the session does not have, the host is
 * told how to keep requests.
 */
export function withoutAnswer(
  { reportProblem }: Pick<SessionContext, 'reportProblem'>,
  state: Pick<StateHolder, 'hasUnknownAnswer'>,
): ConsentDecision {
  if (!state.hasUnknownAnswer()) return { approved: false, reason: 'nobody could be asked' }
  const message =
    'An answer to a request for consent had no effect: the session does not have that request. Save the session when it has asked (`session.save()`), and open it with `saved` before the answer is recorded.'
  reportProblem({ code: 'ANSWER_UNKNOWN', message })
  return { approved: false, reason: NOT_KNOWN }
}

/** How a session is saved before something begins. */
export type CheckpointContext = Pick<SessionContext, 'checkpoint' | 'loadTimeout' | 'reportProblem'>

/**
 * Saves the session where it is kept by somebody else.
 * @throws the signal's reason; {SkillError} TIMED_OUT; why it could not be saved
 */
export async function saveSession(
  { checkpoint, loadTimeout }: Omit<CheckpointContext, 'reportProblem'>,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (checkpoint !== undefined) await inTime(checkpoint(), loadTimeout, 'The checkpoint of the session', signal)
}

/**
 * Saves the session before what was approved begins, so that after a crash it does not begin once more by the same
 * answer. Where it cannot be saved, nothing is approved.
 * @throws the signal's reason
 */
export async function saveDecision<Decision extends ConsentDecision>(
  context: CheckpointContext,
  decision: Decision,
  signal: AbortSignal | undefined,
): Promise<Decision | ConsentDecision> {
  if (context.checkpoint === undefined || !decision.approved) return decision
  try {
    await saveSession(context, signal)
    return decision
  } catch (error) {
    signal?.throwIfAborted()
    const reason = `the session could not be saved (${failureReason(error)})`
    const message = `Nothing was carried out: ${reason}. What was approved is asked about again.`
    context.reportProblem({ code: 'SESSION_NOT_SAVED', message, cause: error })
    return { approved: false, reason }
  }
}

/**
 * Takes an answer that was recorded: it serves once. Where the session is saved before what it permits begins, an approval
 * stays known, so that the same answer begins nothing again after a crash.
 */
export function takeAnswer(
  {
    context,
    state,
  }: { readonly context: Pick<SessionContext, 'checkpoint'>; readonly state: Pick<StateHolder, 'apply'> },
  { id, approved, reason }: { readonly id: string; readonly approved: boolean; readonly reason?: string | undefined },
): ConsentDecision {
  state.apply({ type: approved && context.checkpoint !== undefined ? 'used' : 'settled', id })
  return { approved, ...(reason !== undefined && { reason }) }
}
