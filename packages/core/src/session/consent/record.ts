import type { ToolCall } from '../../ports/tool.ts'
import type { AuditedConsent } from '../../audit/events.ts'
import type { ConsentDecision, ConsentRequest } from '../../ports/consent.ts'
import { sha256Of } from '../../text/hash.ts'
import type { NamedSkill } from '../audit/event.ts'
import type { SessionContext, SessionParts } from '../context.ts'
import type { OpenRequest } from '../state/state.ts'

interface Question {
  readonly call: ToolCall
  readonly skill?: NamedSkill
}

const questions = new WeakMap<ConsentRequest, Question>()

/** Notes what a request is about, for the event that records it. Returns the request. */
export function noteQuestion<Request extends ConsentRequest>(request: Request, question: Question): Request {
  questions.set(request, question)
  return request
}

/** Keeps a request open until its call is carried out. One that has to make room gets no answer any more. */
export function keepOpen(session: SessionParts, request: ConsentRequest): void {
  const before = session.state.current().open
  session.state.apply({ type: 'asked', request: openState(session.context, request) })
  const { open } = session.state.current()
  for (const displaced of before)
    if (displaced.approved === undefined && !open.includes(displaced)) void abandonQuestion(session, displaced)
}

/** Returns a request as a session's state holds it until its call is carried out. */
export function openState({ audit }: SessionContext, request: ConsentRequest): OpenRequest {
  const { id, callId } = request
  return { id, callId, ...(audit !== undefined && { about: aboutOf(request), digest: sha256Of(request.text) }) }
}

function aboutOf({ skill }: ConsentRequest): AuditedConsent['about'] {
  return skill === undefined ? 'call' : 'skill'
}

export async function recordAsked({ context, state }: SessionParts, request: ConsentRequest): Promise<void> {
  const { id, callId, text } = request
  await context.audit?.record({
    type: 'consent.asked',
    outcome: 'started',
    active: state.current().active,
    callId,
    ...questions.get(request),
    consent: { request: id, about: aboutOf(request), digest: sha256Of(text), text },
  })
}

/** Who or what has answered, and what. Without a decision: no answer can come any more. */
interface AnswerRecord {
  readonly by: NonNullable<AuditedConsent['by']>
  readonly decision?: Partial<ConsentDecision>
}

/** Records the answer to a question, once. A question that is not on record has no answer there. */
export async function recordAnswered(
  { context: { audit }, state }: SessionParts,
  { id, callId, about, digest }: OpenRequest,
  { by, decision: { approved, reason } = {} }: AnswerRecord,
): Promise<void> {
  if (audit?.questions.answer(id) !== true || about === undefined || digest === undefined) return
  await audit.record({
    type: 'consent.answered',
    outcome: approved === undefined ? 'aborted' : approved ? 'succeeded' : 'refused',
    active: state.current().active,
    callId,
    consent: {
      request: id,
      about,
      digest,
      ...(approved !== undefined && { answer: approved ? 'yes' : 'no' }),
      by,
      reason,
    },
  })
}

/** Closes a request whose call has nothing left to wait for. */
export async function closeRequest(session: SessionParts, request: OpenRequest): Promise<void> {
  session.state.apply({ type: 'settled', id: request.id })
  if (request.approved === undefined) await abandonQuestion(session, request)
}

/** Records that no answer to an open request can come any more. */
export function abandonQuestion(session: SessionParts, request: OpenRequest): Promise<void> {
  return recordAnswered(session, request, { by: 'abort' })
}

/** Records that a run was aborted while its request about an activation or a call was open. */
export async function recordAborted(session: SessionParts, request: ConsentRequest, error: unknown): Promise<void> {
  const { context, state } = session
  await abandonQuestion(session, openState(context, request))
  if (request.skill === undefined) return
  const draft = { type: 'skill.denied', outcome: 'aborted', active: state.current().active, error } as const
  await context.audit?.record({ ...draft, callId: request.callId, ...questions.get(request) })
}
