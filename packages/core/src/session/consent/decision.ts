import { checkOptions, foreign, isObject, listOf, quoteName, required } from '@repertoire/skill-md/internal'
import type { ConsentAnswer, ConsentDecision, ConsentHandler, ConsentRequest } from '../../ports/consent.ts'
import { sha256Of } from '../../text/hash.ts'
import { inTime } from '../../time-limit.ts'
import type { SessionContext, SessionParts } from '../context.ts'
import { failureReason } from '../refusal.ts'
import type { AskOptions, Place } from './questions.ts'
import { openRequest, recordAnswered, recordAsked } from './record.ts'
import { hasCode } from '../../text/message.ts'

/** How often somebody is asked about one call, if the folder changes while the answer is waited for. */
export const MAX_QUESTIONS = 3

export interface Asking {
  /** The call's place among the questions of its task. It is given up once there is an answer. */
  readonly place: Place
  readonly signal: AbortSignal | undefined
}

export interface CallDecision extends ConsentDecision {
  /** The answer was a yes to what the folder held before: the next call asks about what it holds now. */
  readonly isOutdated?: true
}

/**
 * Decides about a request: by the session's handler now; in a session without one, by the answer that was recorded.
 * @param whyUnanswered returns the decision where no answer was recorded for this request
 * @throws the signal's reason
 */
export async function decide(
  session: SessionParts,
  request: ConsentRequest,
  { place, signal }: Asking,
  whyUnanswered: () => CallDecision,
): Promise<CallDecision> {
  const { consent, consentTimeout: timeoutMs } = session.context
  const decision =
    consent === undefined
      ? (recordedDecision(session, request.id) ?? whyUnanswered())
      : await askHandler(session, request, consent, { place, timeoutMs, signal })
  return saveDecision(session.context, decision, signal)
}

/** Asks a session's handler, and records the question and its answer. @throws the signal's reason */
async function askHandler(
  session: SessionParts,
  request: ConsentRequest,
  handler: ConsentHandler,
  { place, ...options }: AskOptions & { readonly place: Place },
): Promise<ConsentDecision> {
  const open = openRequest(session.context, request)
  let isAsked = false
  const asked: ConsentHandler = (...question) => {
    isAsked = true
    // Nothing is waited for before the handler: what it begins until its first `await` is known by that.
    void recordAsked(session, request)
    return handler(...question)
  }
  try {
    const { by, ...decision } = await ask(place, asked, request, options, session.context)
    await recordAnswered(session, open, { by, decision })
    return decision
  } catch (error) {
    if (isAsked) void recordAnswered(session, open, { by: 'abort' })
    throw error
  }
}

/**
 * Takes the answer that was recorded for a request: it serves once. Where the session is saved before what it permits
 * begins, an approval stays known, so that the same answer begins nothing again after a crash.
 */
function recordedDecision({ context, state }: SessionParts, id: string): ConsentDecision | undefined {
  const { approved, reason } = state.current().open.find((request) => request.id === id) ?? {}
  if (approved === undefined) return undefined
  state.apply({ type: approved && context.checkpoint !== undefined ? 'used' : 'settled', id })
  return { approved, reason }
}

/**
 * Asks a handler, when it is this call's turn. Only `true`, or `approved: true` for exactly this request, approves. A
 * throw, anything else, and silence for longer than `timeoutMs` deny.
 * @param options.signal aborts the run that asks: the request is then abandoned, which decides nothing
 * @throws the signal's reason
 */
export async function ask(
  place: Place,
  handler: ConsentHandler,
  request: ConsentRequest,
  options: AskOptions,
  context: SessionContext,
): Promise<GivenDecision> {
  try {
    const answer: unknown = await place.ask((signal) => handler(request, { signal }), options)
    if (answer === true) return { by: 'handler', approved: true }
    // A handler has to say something.
    const decision = readConsentAnswer(answer ?? {}, request.id)
    if (decision.reason === UNREADABLE) reportUnreadable(context)
    return { by: 'handler', ...decision }
  } catch (error) {
    options.signal?.throwIfAborted()
    if (hasCode(error, 'TIMED_OUT')) return { by: 'timeout', approved: false, reason: 'nobody answered in time' }
    return { by: 'handler', approved: false, reason: 'consent could not be requested' }
  }
}

/** A decision, and what it comes from. */
interface GivenDecision extends ConsentDecision {
  readonly by: 'handler' | 'timeout'
}

/** Why a call does not begin a second time. */
export const BEGUN_BEFORE = 'this very call was approved and begun before'

/**
 * The decision about a call without an answer. If an answer came for a request that the session does not have, the host is
 * told how to keep requests.
 */
export function withoutAnswer({ context, state }: SessionParts, request: ConsentRequest): ConsentDecision {
  if (!state.hasUnknownAnswer()) {
    reportUnattended(context, request)
    return { approved: false, reason: 'nobody could be asked' }
  }
  const message =
    'An answer to a request for consent had no effect: the session does not have that request. Save the session when it has asked (`session.save()`), and open it with `saved` before the answer is recorded.'
  context.reportProblem({ code: 'ANSWER_UNKNOWN', message })
  const reason =
    'an answer came, but this session does not have the request that it belongs to, so it does not count. Ask again'
  return { approved: false, reason }
}

/** Reports once for each task that a request was denied, since there is no handler, and the framework has not asked either. */
function reportUnattended({ task, firstReports, reportProblem }: SessionContext, request: ConsentRequest): void {
  if (!firstReports.isFirst(task, 'CONSENT_UNATTENDED')) return
  reportProblem({
    code: 'CONSENT_UNATTENDED',
    skill: request.skill,
    message: `Consent to ${quoteName(request.skill ?? request.tool)} was denied, because no one could be asked. Give the session a handler, such as \`consent: askInTerminal()\` (for an agent: \`session: { consent }\`), or let the framework ask. In sub-agents, only \`consent\` can ask.`,
  })
}

/** Reports once for each task that an answer has a shape which says neither yes nor no. */
export function reportUnreadable({ task, firstReports, reportProblem }: SessionContext): void {
  if (!firstReports.isFirst(task, 'ANSWER_UNREADABLE')) return
  reportProblem({
    code: 'ANSWER_UNREADABLE',
    message:
      'An answer to a request for consent could not be read, so it is not a yes. Return true or false from the handler `consent`, or give { requestId, approved } with the id of the request and true or false.',
  })
}

/** Reports once for each task that it ended before anybody could answer a request that the framework was to ask about. */
export function reportUnanswered({ context, state }: SessionParts): void {
  const { task, firstReports, reportProblem } = context
  const isWaiting = state.current().open.some(({ approved }) => approved === undefined)
  if (!isWaiting || !firstReports.isFirst(task, 'CONSENT_UNATTENDED')) return
  reportProblem({
    code: 'CONSENT_UNATTENDED',
    message:
      'The session ended while a request for consent was open, and it was not saved, so no one can answer. Give the session a handler, such as `consent: askInTerminal()`. Or keep the session until there is an answer: an agent that owns its sessions by `sessions` and an id for each call, a session of your own by `session.save()`.',
  })
}

/**
 * Saves the session where it is kept by somebody else.
 * @throws the signal's reason; {SkillError} TIMED_OUT; why it could not be saved
 */
export async function saveSession(
  { checkpoint, loadTimeout }: SessionContext,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (checkpoint !== undefined) await inTime(checkpoint(), loadTimeout, 'The checkpoint of the session', signal)
}

/**
 * Saves the session before what was approved begins, so that after a crash it does not begin once more by the same
 * answer. Where it cannot be saved, nothing is approved.
 * @throws the signal's reason
 */
export async function saveDecision(
  context: SessionContext,
  decision: CallDecision,
  signal: AbortSignal | undefined,
): Promise<CallDecision> {
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

/** Whether two requests are for the same call with the same input, so that only the folder's content differs. */
export function isSameCall(id: string, other: string): boolean {
  return id.slice(0, CALL_DIGITS) === other.slice(0, CALL_DIGITS)
}

/** Whether one of these requests is for a call, whatever it would activate or run. */
export function isAnyRequestFor(ids: readonly string[], callText: () => string): boolean {
  if (ids.length === 0) return false
  const hash = sha256Of(callText())
  return ids.some((id) => isSameCall(id, hash))
}

/** Why something that is not an answer approves nothing. */
export const UNREADABLE =
  'the answer could not be read. It must be { requestId, approved }, with the id of the request and true or false'

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
