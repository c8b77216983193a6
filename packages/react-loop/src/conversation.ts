import { showName, type ToolCall } from '@repertoire/core'
import { uniqueCallIds } from '@repertoire/core/adapter'
import type { Message } from './model.ts'

/**
 * The calls at the end of a conversation that have no result yet: those of a run that was stopped while it asked for
 * consent, or whose process died.
 * @throws {TypeError} an earlier call has no result, which every endpoint would reject
 */
export function openCalls(messages: readonly Message[]): readonly ToolCall[] {
  let open: readonly ToolCall[] = []
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') open = open.filter(({ id }) => id !== message.callId)
    else {
      const [call] = open
      if (call !== undefined) {
        throw new TypeError(
          `The call "${showName(call.id)}" of "${showName(call.tool)}" has no result before messages[${index}]. Run the conversation up to there first: open calls are then carried out.`,
        )
      }
      open = message.role === 'assistant' ? (message.calls ?? []) : []
    }
  }
  return open
}

/**
 * Gives every call a unique id, see `uniqueCallIds`. Text protocols and some servers have no ids: such a call is
 * numbered by its position, as in `call_2_1`, the first call of the model's second message.
 * @param used further ids that are in use
 */
export function withUniqueIds(
  calls: readonly ToolCall[],
  messages: readonly Message[],
  used: readonly string[],
): readonly ToolCall[] {
  const assistantMessages = messages.filter((message) => message.role === 'assistant')
  const uniqueId = uniqueCallIds([
    ...used,
    ...assistantMessages.flatMap((message) => (message.calls ?? []).map(({ id }) => id)),
  ])
  return calls.map((call, index) => ({
    ...call,
    id: uniqueId(call.id === '' ? `call_${assistantMessages.length + 1}_${index + 1}` : call.id),
  }))
}
