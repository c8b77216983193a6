import { abandonedCallError } from '@repertoire/core/adapter'
import type { ModelMessage, ToolModelMessage } from 'ai'
import { partsOf } from './answers.ts'

/**
 * Adds a result to every call whose approval request a person has ignored by writing another message. AI SDK rejects a
 * user message after a call without a result, so the conversation could not continue.
 * @returns the same array if no call is open
 */
export function withAbandoned(messages: ModelMessage[]): ModelMessage[] {
  // Open approvals and calls at the time of a user's message.
  const asked = new Map<string, string>()
  const calls = new Map<string, string>()
  const fixed: ModelMessage[] = []
  for (const message of messages) {
    if (message.role === 'user') {
      const open = [...asked.values()].flatMap((id) => (calls.has(id) ? [resultOf(id, calls.get(id)!)] : []))
      if (open.length > 0) fixed.push({ role: 'tool', content: open })
      asked.clear()
    }
    for (const part of partsOf(message)) {
      if (part.type === 'tool-call') calls.set(part.toolCallId, part.toolName)
      if (part.type === 'tool-approval-request') asked.set(part.approvalId, part.toolCallId)
      if (part.type === 'tool-approval-response') asked.delete(part.approvalId)
      if (part.type === 'tool-result') calls.delete(part.toolCallId)
    }
    fixed.push(message)
  }
  return fixed.length === messages.length ? messages : fixed
}

function resultOf(toolCallId: string, toolName: string): ToolModelMessage['content'][number] {
  const value = abandonedCallError(toolName).message
  return { type: 'tool-result', toolCallId, toolName, output: { type: 'error-text', value } }
}
