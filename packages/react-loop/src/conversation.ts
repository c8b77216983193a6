import type { ToolCall } from '@repertoire/core'
import type { Message } from './model.ts'

/**
 * The calls at the end of a conversation that have no result yet: those of a run that was stopped while it asked for
 * consent, or whose process died.
 * @throws {TypeError} a call further up has no result, which no endpoint would take
 */
export function openCalls(messages: readonly Message[]): readonly ToolCall[] {
  let open: readonly ToolCall[] = []
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') open = open.filter(({ id }) => id !== message.callId)
    else {
      const [call] = open
      if (call !== undefined) {
        throw new TypeError(
          `The call "${call.id}" of "${call.tool}" has no result before messages[${index}]. Run the conversation up to there first: open calls are then carried out.`,
        )
      }
      open = message.role === 'assistant' ? (message.calls ?? []) : []
    }
  }
  return open
}

/**
 * The calls under ids of their own. Text protocols and some servers give none: such a call is named by its place, as
 * in `call_2_1`, the first call of the second message of the model's. Some servers count anew in every message: an id
 * that was used before is replaced, so that nothing which was said of one call is taken for another.
 * @param used further ids that are taken
 */
export function withOwnIds(
  calls: readonly ToolCall[],
  messages: readonly Message[],
  used: readonly string[],
): readonly ToolCall[] {
  const said = messages.filter((message) => message.role === 'assistant')
  const taken = new Set([...used, ...said.flatMap((message) => (message.calls ?? []).map(({ id }) => id))])
  return calls.map((call, index) => {
    const wanted = call.id === '' ? `call_${said.length + 1}_${index + 1}` : call.id
    const id = taken.has(wanted) ? `call_${crypto.randomUUID()}` : wanted
    taken.add(id)
    return { ...call, id }
  })
}
