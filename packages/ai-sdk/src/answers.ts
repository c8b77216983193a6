import type { ConsentRequest, ConsentVerdict, Session, ToolCall } from '@repertoire/core'
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
  verdicts: readonly ConsentVerdict[],
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

/**
 * Records the answers that a conversation begins with as those to the session's open questions, each once. AI SDK looks
 * for answers in the last message only, and takes the first one to a call; so is it here.
 * @param recorded the parts that were recorded before, which are added to
 * @returns the ids of the calls that were answered
 */
export function recordAnswers(
  session: Session,
  messages: readonly ModelMessage[],
  recorded: WeakSet<object>,
): ReadonlySet<string> {
  const callIds = new Map<string, string>()
  for (const part of messages.flatMap(partsOf)) {
    if (part.type === 'tool-approval-request') callIds.set(part.approvalId, part.toolCallId)
  }
  const answered = new Set<string>()
  for (const part of partsOf(messages.at(-1))) {
    if (part.type !== 'tool-approval-response') continue
    const callId = callIds.get(part.approvalId)
    if (callId === undefined || answered.has(callId)) continue
    answered.add(callId)
    if (recorded.has(part)) continue
    recorded.add(part)
    // An answer to no open question stays without effect: the session then refuses the call.
    const open = session.state.open.findLast((each) => each.callId === callId && each.approved === undefined)
    if (open === undefined) continue
    const { approved, reason } = part
    session.answer({ requestId: open.id, approved, ...(reason !== undefined && { reason }) })
  }
  return answered
}

type Part = Exclude<Exclude<ModelMessage, { role: 'system' }>['content'], string>[number]

function partsOf(message: ModelMessage | undefined): readonly Part[] {
  return message === undefined || typeof message.content === 'string' ? [] : message.content
}
