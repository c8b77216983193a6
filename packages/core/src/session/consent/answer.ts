import { foreign, listOf, required, checkOptions, isObject } from '@repertoire/skill-md/internal'
import type { ConsentAnswer, ConsentDecision, ConsentRequest } from '../../ports/consent.ts'

/** Reads a foreign value as the answer to one request: it is approved only if the value says so for this very request. */
export function readConsentAnswer(value: unknown, requestId: string): ConsentDecision {
  const answer = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
  const reason =
    typeof answer['reason'] === 'string' && answer['reason'].trim() !== '' ? { reason: answer['reason'] } : {}
  return { approved: answer['requestId'] === requestId && answer['approved'] === true, ...reason }
}

/**
 * Whether a foreign value is a yes to an earlier request for the same call, whose folder has changed since: nobody has
 * decided about what the folder holds now. For adapters of frameworks that can ask once more in the same run.
 */
export function isOutdatedYes(value: unknown, requestId: string): boolean {
  if (typeof value !== 'object' || value === null) return false
  const answer = value as Readonly<Record<string, unknown>>
  const id = answer['requestId']
  return answer['approved'] === true && typeof id === 'string' && id !== requestId && isSameCall(id, requestId)
}

const ANSWERED = {
  pending: required(
    listOf(
      foreign('a pending request, as from `await consentRequests(…)`', (each) => isObject(each) && 'request' in each),
    ),
  ),
  answers: required(
    listOf(
      foreign('an answer { requestId, approved }', (each) => {
        const { requestId, approved } = (isObject(each) ? each : {}) as Partial<ConsentAnswer>
        return typeof requestId === 'string' && typeof approved === 'boolean'
      }),
    ),
  ),
}

/**
 * Checks the arguments of an adapter's function that answers pending requests. Answers to other requests are no mistake.
 * @param name the function, for the message
 * @throws {TypeError} no requests, no answers, or two answers to one request
 */
export function checkAnswers(
  name: string,
  pending: readonly { readonly request: ConsentRequest }[],
  answers: readonly ConsentAnswer[],
): void {
  checkOptions(name, ANSWERED, { pending, answers })
  const ids = answers.map(({ requestId }) => requestId)
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (twice === undefined) return
  throw new TypeError(`${name}: the request "${twice}" has two answers. Give one for each request.`)
}

/** Hex digits at the beginning of a request's id that do not depend on the folder's digest. */
export const CALL_DIGITS = 16

/** Whether two requests are for the same call with the same input, so that only the folder's content differs. */
export function isSameCall(id: string, other: string): boolean {
  return id.slice(0, CALL_DIGITS) === other.slice(0, CALL_DIGITS)
}
