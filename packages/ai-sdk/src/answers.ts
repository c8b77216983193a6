import type { ConsentRequest, ConsentAnswer, Session, ToolCall } from '@repertoire/core'
import { adapterSession, type AdapterSession, checkAnswers, isTextOfContent, standsFor } from '@repertoire/core/adapter'
import { checkOptions, foreign, listOf, required, sessionKind } from '@repertoire/core/options'
import type { ModelMessage, ToolModelMessage } from 'ai'
import { type Part, partsOf } from './parts.ts'

/** A consent request of a skill, with the approval request of AI SDK that waits for its answer. */
export interface PendingConsent {
  readonly approvalId: string
  readonly request: ConsentRequest
}

const CONVERSATION = {
  session: required(sessionKind),
  messages: required(
    listOf(
      foreign('a model message, as from `convertToModelMessages`', (message) => {
        const { role, content } = (message ?? {}) as Readonly<Record<string, unknown>>
        return typeof role === 'string' && (typeof content === 'string' || Array.isArray(content))
      }),
    ),
  ),
}

/**
 * The consent requests that a conversation waits for, in the order of the calls. Also works with stored messages and a
 * saved session. Approval requests for the host's own tools are not included, nor what the session has an answer to:
 * call it before `session.answer`.
 * @param messages the conversation with the messages of the last result, or these alone: `result.responseMessages`
 * @throws {TypeError} no session, or no model messages
 */
export async function consentRequests(session: Session, messages: readonly ModelMessage[]): Promise<PendingConsent[]> {
  checkOptions('consentRequests', CONVERSATION, { session, messages })
  // A person who writes on without answering has dropped the request.
  const since = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1)
  const asked = approvalRequests(since)
  for (const part of since.flatMap(partsOf)) if (part.type === 'tool-approval-response') asked.delete(part.approvalId)
  const own = adapterSession(session)
  const pending: PendingConsent[] = []
  for (const [approvalId, { call, isAutomatic }] of asked) {
    if (isAutomatic === true) continue
    const request = (await own.preview(call, { asks: true })).waits
    if (request !== undefined) pending.push({ approvalId, request })
  }
  return pending
}

/**
 * The consent answers as the message from which AI SDK continues. A request without an answer is denied; an answer to
 * another request has no effect.
 * @throws {TypeError} no requests, no answers, or two answers to one request
 */
export function approvalResponses(
  pending: readonly PendingConsent[],
  answers: readonly ConsentAnswer[],
): ToolModelMessage {
  checkAnswers('approvalResponses', pending, answers)
  return {
    role: 'tool',
    content: pending.map(({ approvalId, request }) => {
      const { approved, reason } = answers.find(({ requestId }) => requestId === request.id) ?? {}
      return {
        type: 'tool-approval-response',
        approvalId,
        approved: approved === true,
        ...(typeof reason === 'string' && { reason }),
      }
    }),
  }
}

/**
 * Records the answers that a conversation begins with as answers to the session's open consent requests, each once.
 * Like AI SDK, it reads the last message only, and the first answer to a call.
 * @returns the answered calls, by their ids
 */
export async function recordAnswers(
  session: AdapterSession,
  messages: readonly ModelMessage[],
): Promise<ReadonlyMap<string, AnsweredCall>> {
  const last = partsOf(messages.at(-1))
  // So it is at nearly every step, and the conversation may be long.
  if (!last.some(({ type }) => type === 'tool-approval-response')) return new Map()
  const requests = approvalRequests(messages)
  const answered = new Map<string, AnsweredCall>()
  for (const part of last) {
    if (part.type !== 'tool-approval-response') continue
    const asked = requests.get(part.approvalId)
    if (asked === undefined || answered.has(asked.call.id)) continue
    answered.set(asked.call.id, { call: asked.call, approved: part.approved })
    await record(session, asked, part)
  }
  return answered
}

/** A call with the answer of a person. */
interface AnsweredCall {
  readonly call: ToolCall
  readonly approved: boolean
}

/** The content of an approval request of AI SDK. */
interface Asked {
  readonly call: ToolCall
  /** The consent request as it was shown, unless the application has dropped it. */
  readonly text: string | undefined
  readonly isAutomatic: boolean | undefined
}

/** The approval requests of a conversation, by their ids. */
export function approvalRequests(messages: readonly ModelMessage[]): Map<string, Asked> {
  const calls = new Map<string, ToolCall>()
  const requests = new Map<string, Asked>()
  for (const part of messages.flatMap(partsOf)) {
    if (part.type === 'tool-call') {
      calls.set(part.toolCallId, { id: part.toolCallId, tool: part.toolName, input: part.input })
    }
    if (part.type !== 'tool-approval-request') continue
    const call = calls.get(part.toolCallId)
    if (call !== undefined) requests.set(part.approvalId, { call, text: part.reason, isAutomatic: part.isAutomatic })
  }
  return requests
}

async function record(
  session: AdapterSession,
  { call, text }: Asked,
  { approvalId, approved, reason }: Extract<Part, { type: 'tool-approval-response' }>,
): Promise<void> {
  const callId = standsFor(call).turn?.id ?? call.id
  const waiting = session.state.open.filter((each) => each.callId === callId && each.approved === undefined)
  // A call about which the session has asked again, since its folder has changed, has the same approval id. An answer
  // to the earlier text is one to the earlier request: a yes to it makes the next call ask again.
  const now = waiting.length > 1 && text !== undefined ? (await session.preview(call, { asks: true })).waits : undefined
  const isOfNow = now !== undefined && isTextOfContent(text ?? '', now)
  const asked = now === undefined ? waiting.at(-1) : waiting.findLast(({ id }) => (id === now.id) === isOfNow)
  // The session may not have the request: then it refuses the call and says why.
  if (asked !== undefined || text !== undefined)
    session.answer({ requestId: asked?.id ?? approvalId, approved, reason })
}
