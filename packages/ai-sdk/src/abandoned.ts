import { abandonedCallError } from '@repertoire/core/adapter'
import type { ModelMessage, ToolModelMessage } from 'ai'
import { partsOf } from './answers.ts'

/**
 * The messages with a result for every call whose approval a person wrote on without giving. AI SDK takes no user's
 * message behind a call without one: such a conversation could never go on.
 * @returns the same array where nothing is open
 */
export function withAbandoned(messages: ModelMessage[]): ModelMessage[] {
  // By approval, and by call: those that a user's message finds open.
  const asked = new Map<string, string>()
  const calls = new Map<string, string>()
  const mended: ModelMessage[] = []
  for (const message of messages) {
    if (message.role === 'user') {
      const open = [...asked.values()].flatMap((id) => (calls.has(id) ? [resultOf(id, calls.get(id)!)] : []))
      if (open.length > 0) mended.push({ role: 'tool', content: open })
      asked.clear()
    }
    for (const part of partsOf(message)) {
      if (part.type === 'tool-call') calls.set(part.toolCallId, part.toolName)
      if (part.type === 'tool-approval-request') asked.set(part.approvalId, part.toolCallId)
      if (part.type === 'tool-approval-response') asked.delete(part.approvalId)
      if (part.type === 'tool-result') calls.delete(part.toolCallId)
    }
    mended.push(message)
  }
  return mended.length === messages.length ? messages : mended
}

function resultOf(toolCallId: string, toolName: string): ToolModelMessage['content'][number] {
  const value = abandonedCallError(toolName).message
  return { type: 'tool-result', toolCallId, toolName, output: { type: 'error-text', value } }
}
