import { type Skill, checkOptions, foreign, isObject, listOf, required } from '@repertoire/skill-md/internal'
import type { ConsentAnswer, ConsentDecision, ConsentRequest } from '../../ports/consent.ts'
import type { ToolCall } from '../../ports/tool.ts'
import { canonicalJson, sha256Of } from '../../text/hash.ts'
import type { SessionState } from '../state/state.ts'

/** Why a call does not begin a second time. */
export const BEGUN_BEFORE = 'this very call was approved and begun before'

/** Hex digits at the beginning of a request's id that depend on the call alone. */
const CALL_DIGITS = 16

/** Hex digits after those, which depend on the call and on what it activates or runs. */
const CONTENT_DIGITS = 32

/**
 * Returns the id of a request.
 * @param call the session and the call with its input, as one text
 * @param content the call and what it activates or runs
 */
export function idOfRequest(call: string, content: string): string {
  return sha256Of(call).slice(0, CALL_DIGITS) + sha256Of(content).slice(0, CONTENT_DIGITS)
}

export function isSameCall(id: string, other: string): boolean {
  return id.slice(0, CALL_DIGITS) === other.slice(0, CALL_DIGITS)
}

/** Returns a call as one text, with its session, its input and the skill that it activates, if any. */
export function callText(session: string, { id, tool, input = null }: ToolCall, skill?: Skill): string {
  return canonicalJson(
    skill === undefined ? ['call', session, id, tool, input] : [session, id, input, skill.source, skill.name],
  )
}

/** Whether some request is for a call, whatever it activated or ran then. @param skill as in `callText` */
export function isAnyRequestOf(ids: readonly string[], session: string, call: ToolCall, skill?: Skill): boolean {
  if (ids.length === 0) return false
  const hash = sha256Of(callText(session, call, skill))
  return ids.some((id) => isSameCall(id, hash))
}

/** Whether an approval of a call was used. @param skill as in `callText` */
export function wasUsed({ id, used = [] }: SessionState, call: ToolCall, skill?: Skill): boolean {
  return isAnyRequestOf(used, id, call, skill)
}

/** Why something that is not an answer approves nothing. */
export const UNREADABLE = 'the answer could not be read'

/**
 * Reads a foreign value as the answer to one request: it is approved only if the value says so for this very request.
 * A no and a missing value deny it; what has another shape denies it too, with a reason that shows the right one.
 */
export function readConsentAnswer(value: unknown, requestId: string): ConsentDecision {
  if (value === undefined || value === null || value === false) return { approved: false }
  const { approved, requestId: id, reason: given } = Object(value) as Readonly<Record<string, unknown>>
  const isYes = approved === true && typeof id === 'string'
  if (approved !== false && !isYes) return { approved: false, reason: UNREADABLE }
  const reason = typeof given === 'string' && given.trim() !== '' ? given : undefined
  return { approved: isYes && id === requestId, reason }
}

/**
 * Whether a foreign value is a yes to an earlier request for the same call, whose folder has changed since: nobody has
 * decided about what the folder holds now. For adapters of frameworks that can ask once more in the same run.
 */
export function isOutdatedYes(value: unknown, requestId: string): boolean {
  const { approved, requestId: id } = Object(value) as Readonly<Record<string, unknown>>
  return approved === true && typeof id === 'string' && id !== requestId && isSameCall(id, requestId)
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
        const { requestId, approved } = Object(each) as Partial<ConsentAnswer>
        return typeof requestId === 'string' && typeof approved === 'boolean'
      }),
    ),
  ),
}

/**
 * Checks the arguments of an adapter's function that answers pending requests. Answers to others are no mistake.
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
