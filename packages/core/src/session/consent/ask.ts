import { isSkillError } from '@repertoire/skill-md/internal'
import type { ConsentDecision, ConsentHandler, ConsentRequest } from '../../ports/consent.ts'
import { readConsentAnswer } from './answer.ts'
import type { AskOptions, Place } from './questions.ts'

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
