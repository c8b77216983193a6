import { quoteName } from '@repertoire/skill-md/internal'
import type { ConsentAnswer, ConsentDecision, ConsentHandler, ConsentRequest } from '../../ports/consent.ts'
import { hasCode } from '../../text/message.ts'
import { inTime } from '../../time-limit.ts'
import type { SessionContext, SessionParts } from '../context.ts'
import { failureReason } from '../refusal.ts'
import type { CallOptions } from '../session.ts'
import { isFork } from '../state/state.ts'
import { isSameCall, readConsentAnswer, UNREADABLE } from './decision.ts'
import { closeRequest, keepOpen, openState, recordAborted, recordAnswered, recordAsked } from './record.ts'

/** How often a person is asked about one call, if the folder changes before the answer. */
const MAX_QUESTIONS = 3

export interface CallDecision extends ConsentDecision {
  /** The answer was a yes to what the folder held before: the next call asks about what it holds now. */
  readonly isOutdated?: true
  /** The request, if it has no answer yet and may get one. */
  readonly waits?: ConsentRequest
}

/** The run that needs an answer. */
export interface Asking {
  readonly signal: AbortSignal | undefined
  readonly canWait: boolean
  readonly recorded?: CallOptions['recorded']
}

/**
 * Takes the answer that was recorded for a request, which serves once. Without one the request is opened, where
 * somebody will answer it.
 * @param whyUnanswered says why other answers do not count. Undefined: there is none
 */
export async function answerTo(
  session: SessionParts,
  request: ConsentRequest,
  { signal, canWait, recorded }: Asking,
  whyUnanswered: () => CallDecision | undefined = () => undefined,
): Promise<CallDecision> {
  const { context, state } = session
  const answer = recordedAnswer(session, request.id)
  if (answer !== undefined) {
    const { id, ...decision } = answer
    // Where the session is saved before what it permits begins, an approval stays known: after a crash the same answer
    // begins nothing again.
    const isKept = decision.approved && context.checkpoint !== undefined && !state.handled.has(id)
    if (isKept) state.apply({ type: 'used', id })
    // Whatever else was asked about the call: no later answer begins it once more.
    for (const open of state.current().open.filter((each) => isSameCall(each.id, id))) await closeRequest(session, open)
    return saveDecision(context, decision, signal)
  }
  const why = whyUnanswered()
  if (context.consent === undefined && (!canWait || isFork(state.current())))
    return why ?? withoutAnswer(session, request)
  return { approved: false, ...why, waits: await openRequest(session, request, signal, recorded) }
}

/** Returns the answer to a request on record, or a no to the same call: that stands whatever the folder holds now. */
export function recordedAnswer(
  { state }: SessionParts,
  requestId: string,
): (ConsentDecision & { readonly id: string }) | undefined {
  const handled = [...state.handled].map(([id, decision]) => ({ id, ...decision }))
  const answers = [...handled, ...state.current().open].filter(({ id }) => isSameCall(id, requestId))
  const { id, approved, reason } =
    answers.find((each) => each.approved === false) ?? answers.find((each) => each.id === requestId) ?? {}
  return id === undefined || approved === undefined ? undefined : { id, approved, reason }
}

/**
 * Opens a request that the session's handler does not answer at once: an answer to it counts from now on. It is saved
 * before anybody sees it.
 * @param recorded returns what an earlier run has put on record of it
 * @throws the signal's reason; {SkillError} TIMED_OUT; why the session could not be saved
 */
export async function openRequest(
  session: SessionParts,
  request: ConsentRequest,
  signal: AbortSignal | undefined,
  recorded?: CallOptions['recorded'],
): Promise<ConsentRequest> {
  const { context, state } = session
  const isNew = state.current().open.every(({ id }) => id !== request.id)
  if (context.consent === undefined) {
    keepOpen(session, request)
    await saveSession(context, signal)
  }
  if (isNew && context.audit?.questions.ask(request.id, recorded?.(request.id)) === true)
    await recordAsked(session, request)
  return request
}

/** Records the answer to an open request. One to no open request, or a second one, changes nothing. */
export function recordAnswer(session: SessionParts, given: ConsentAnswer): void {
  const { context, state } = session
  // Programs without types may pass anything.
  const requestId: unknown = (given as ConsentAnswer | null | undefined)?.requestId
  if (typeof requestId !== 'string') return reportUnreadable(context)
  const open = state.current().open.find(({ id }) => id === requestId)
  const decision = readConsentAnswer(given, requestId)
  if (decision.reason === UNREADABLE) reportUnreadable(context)
  state.apply({ type: 'answered', id: requestId, ...decision })
  if (open !== undefined && open.approved === undefined) void recordAnswered(session, open, { by: 'person', decision })
}

/**
 * Does work that may wait for consent, in its turn among the questions of the task; as long as it waits, the session's
 * handler is asked, and the work is done again. Without a handler it is done once.
 * @throws what the work throws
 */
export async function askWhileWaiting<T extends object>(
  session: SessionParts,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const { consent } = session.context
  return consent === undefined ? work() : askInTurn(session, consent, signal, work)
}

/**
 * Does the same with a handler of the framework's.
 * @throws what the work throws
 */
export async function askInTurn<T extends object>(
  session: SessionParts,
  handler: ConsentHandler,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const { inTurn, task } = session.context
  const loop = async (): Promise<T> => {
    try {
      for (let times = 1; ; times++) {
        const result: T & Pick<CallDecision, 'waits'> = await work()
        if (result.waits === undefined) return result
        // The folder has changed each time.
        if (times > MAX_QUESTIONS) return { ...result, waits: undefined }
        await askHandler(session, result.waits, handler, signal)
      }
    } finally {
      session.state.handled.clear()
    }
  }
  return inTurn(task, loop, signal)
}

/**
 * Asks a handler, and records its answer. Only `true`, or `approved: true` for exactly this request, approves. A throw,
 * anything else, and silence for longer than the time limit deny. Where the run that asks is aborted, the request is
 * dropped.
 */
async function askHandler(
  session: SessionParts,
  request: ConsentRequest,
  handler: ConsentHandler,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { context, state } = session
  await openRequest(session, request, signal)
  const open = openState(context, request)
  let by: 'handler' | 'timeout' = 'handler'
  let decision: ConsentDecision
  try {
    const ask = (settled: AbortSignal): unknown => handler(request, { signal: settled })
    const given = await askInTime(ask, context.consentTimeout, signal)
    // A handler has to say something.
    decision = given === true ? { approved: true } : readConsentAnswer(given ?? {}, request.id)
    if (decision.reason === UNREADABLE) reportUnreadable(context)
  } catch (error) {
    if (signal?.aborted === true) {
      state.apply({ type: 'settled', id: request.id })
      await recordAborted(session, request, signal.reason)
      throw signal.reason
    }
    by = hasCode(error, 'TIMED_OUT') ? 'timeout' : 'handler'
    const reason = by === 'timeout' ? 'nobody answered in time' : 'consent could not be requested'
    decision = { approved: false, reason }
  }
  if (context.consent === undefined) state.apply({ type: 'answered', id: request.id, ...decision })
  else state.handled.set(request.id, decision)
  void recordAnswered(session, open, { by, decision })
}

/**
 * Asks. The time limit starts now. The signal that the question is given aborts once it is settled.
 * @throws {SkillError} TIMED_OUT: there is no answer in time
 * @throws what the question throws
 */
export async function askInTime<T>(
  question: (signal: AbortSignal) => T | PromiseLike<T>,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<T> {
  const settled = new AbortController()
  try {
    const answering = (async () => question(settled.signal))()
    return await inTime(answering, timeoutMs, 'The person who was asked', signal)
  } finally {
    settled.abort(new DOMException('The question is settled.', 'AbortError'))
  }
}

/**
 * The decision about a call without an answer. If an answer came for a request that the session does not have, the host
 * is told how to keep requests.
 */
function withoutAnswer({ context, state }: SessionParts, request: ConsentRequest): CallDecision {
  if (!state.hasUnknownAnswer()) {
    context.reportOnce(context.task, 'CONSENT_UNATTENDED', () => ({
      code: 'CONSENT_UNATTENDED',
      skill: request.skill,
      message: `Consent to ${quoteName(request.skill ?? request.tool)} was denied, because no one could be asked. Give the session a handler, such as \`consent: askInTerminal()\` (for an agent: \`session: { consent }\`), or let the framework ask: LangChain does so with a checkpointer. In sub-agents, only \`consent\` can ask.`,
    }))
    return { approved: false, reason: 'nobody could be asked' }
  }
  const message =
    'An answer to a request for consent had no effect: the session does not have that request. Save the session when it has asked (`session.save()`), and open it with `saved` before the answer is recorded.'
  context.reportProblem({ code: 'ANSWER_UNKNOWN', message })
  return { approved: false, reason: 'the answer was for a request that this session does not have', isOutdated: true }
}

/** Reports once for each task that an answer has a shape which says neither yes nor no. */
function reportUnreadable({ task, reportOnce }: SessionContext): void {
  reportOnce(task, 'ANSWER_UNREADABLE', () => ({
    code: 'ANSWER_UNREADABLE',
    message:
      'An answer to a request for consent could not be read, so it is not a yes. Return true or false from the handler `consent`, or give { requestId, approved } with the id of the request and true or false.',
  }))
}

/** Reports once for each task that it ended before anybody could answer a request. */
export function reportUnanswered({ task, reportOnce }: SessionContext): void {
  reportOnce(task, 'CONSENT_UNATTENDED', () => ({
    code: 'CONSENT_UNATTENDED',
    message:
      'The session ended while a request for consent was open, and it was not saved, so no one can answer. Give the session a handler, such as `consent: askInTerminal()`. Or keep the session until there is an answer: an agent that owns its sessions by `sessions` and an id for each call, a session of your own by `session.save()`.',
  }))
}

/**
 * Saves the session if the host keeps it.
 * @throws the signal's reason; {SkillError} TIMED_OUT; why it could not be saved
 */
async function saveSession(
  { checkpoint, loadTimeout }: SessionContext,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (checkpoint !== undefined) await inTime(checkpoint(), loadTimeout, 'The checkpoint of the session', signal)
}

/**
 * Saves the session before what was approved begins, so that after a crash it does not begin once more by the same
 * answer. Where it cannot be saved, nothing is approved.
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
    const reason = 'the session could not be saved'
    const message = `Nothing was carried out: ${reason} (${failureReason(error)}). What was approved is asked about again.`
    context.reportProblem({ code: 'SESSION_NOT_SAVED', message, cause: error })
    return { approved: false, reason }
  }
}
