import type { ConsentRequest, ConsentAnswer, Session, ToolCall } from '@repertoire/core'
import type { ModelMessage, ToolModelMessage } from 'ai'

/** A question about a skill, and the approval request of AI SDK that waits for its answer. */
export interface PendingConsent {
  readonly approvalId: string
  readonly request: ConsentRequest
}

/**
 * The questions about skills that a conversation waits for, in the order of the calls. Works over stored messages and
 * a saved session too. Approval requests for tools of the host's own are not among them.
 * @param messages the conversation with the messages of the last result, or these alone: `result.responseMessages`
 */
export async function consentRequests(session: Session, messages: readonly ModelMessage[]): Promise<PendingConsent[]> {
  const calls = new Map<string, ToolCall>()
  const asked = new Map<string, ToolCall>()
  for (const message of messages) {
    // Who writes on without an answer has let the question go.
    if (message.role === 'user') asked.clear()
    for (const part of partsOf(message)) {
      if (part.type === 'tool-call') {
        calls.set(part.toolCallId, { id: part.toolCallId, tool: part.toolName, input: part.input })
      }
      if (part.type === 'tool-approval-request' && part.isAutomatic !== true) {
        const call = calls.get(part.toolCallId)
        if (call !== undefined) asked.set(part.approvalId, call)
      }
      if (part.type === 'tool-approval-response') asked.delete(part.approvalId)
    }
  }
  const pending: PendingConsent[] = []
  for (const [approvalId, call] of asked) {
    const request = await session.consentFor(call)
    if (request !== undefined) pending.push({ approvalId, request })
  }
  return pending
}

/**
 * The answers as the message that AI SDK goes on from. A question without a verdict for exactly its request is answered
 * with no; a verdict for another request answers nothing.
 */
export function approvalResponses(
  pending: readonly PendingConsent[],
  verdicts: readonly ConsentAnswer[],
): ToolModelMessage {
  return {
    role: 'tool',
    content: pending.map(({ approvalId, request }) => {
      const { approved, reason } = verdicts.find(({ requestId }) => requestId === request.id) ?? {}
      return {
        type: 'tool-approval-response',
        approvalId,
        approved: approved === true,
        ...(reason !== undefined && { reason }),
      }
    }),
  }
}

/** The recording of each answer, by the part that it stands in. */
export type Recorded = WeakMap<object, Promise<void>>

/**
 * Records the answers that a conversation begins with as those to the session's open questions, each once. AI SDK looks
 * for answers in the last message only, and takes the first one to a call; so is it here.
 * @param recorded the parts that were recorded before, which are added to
 * @returns the ids of the calls that were answered
 */
export async function recordAnswers(
  session: Session,
  messages: readonly ModelMessage[],
  recorded: Recorded,
): Promise<ReadonlySet<string>> {
  const calls = new Map<string, ToolCall>()
  const requests = new Map<string, Asked>()
  for (const part of messages.flatMap(partsOf)) {
    if (part.type === 'tool-call') {
      calls.set(part.toolCallId, { id: part.toolCallId, tool: part.toolName, input: part.input })
    }
    if (part.type !== 'tool-approval-request') continue
    const call = calls.get(part.toolCallId) ?? { id: part.toolCallId, tool: '', input: undefined }
    requests.set(part.approvalId, { call, text: part.reason })
  }
  const answered = new Set<string>()
  for (const part of partsOf(messages.at(-1))) {
    if (part.type !== 'tool-approval-response') continue
    const asked = requests.get(part.approvalId)
    if (asked === undefined || answered.has(asked.call.id)) continue
    answered.add(asked.call.id)
    const recording = recorded.get(part) ?? record(session, asked, part)
    recorded.set(part, recording)
    await recording
  }
  return answered
}

/** What an approval request of AI SDK asked. */
interface Asked {
  readonly call: ToolCall
  /** The question as it was shown, unless the application dropped it. */
  readonly text: string | undefined
}

async function record(session: Session, { call, text }: Asked, { approved, reason }: Answer): Promise<void> {
  const waiting = session.state.open.filter((each) => each.callId === call.id && each.approved === undefined)
  // An answer to no open question stays without effect: the session then refuses the call.
  const last = waiting.at(-1)
  if (last === undefined) return
  const because = reason !== undefined && { reason }
  // A call that was asked about again, for its folder or its input changed meanwhile, has the same approval: what was
  // said to the earlier question is not an answer to the later one.
  const now = text === undefined ? undefined : await session.consentFor(call)
  if (now === undefined) session.answer({ requestId: last.id, approved, ...because })
  else {
    const isThis = now.text === text && waiting.some(({ id }) => id === now.id)
    session.answer({ requestId: now.id, approved: approved && isThis, ...because })
  }
}

type Answer = Extract<Part, { type: 'tool-approval-response' }>

type Part = Exclude<Exclude<ModelMessage, { role: 'system' }>['content'], string>[number]

/** The parts that a message is made of; none where it is a text. */
export function partsOf(message: ModelMessage | undefined): readonly Part[] {
  return message === undefined || typeof message.content === 'string' ? [] : message.content
}
