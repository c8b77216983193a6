import type { BaseMessage } from '@langchain/core/messages'
import { isAnswer } from './message-kinds.ts'

/** The thread as it is stored, whatever other middleware has made of it for the model. */
export function messagesOf(state: object): readonly BaseMessage[] {
  return Reflect.get(state, 'messages') ?? []
}

/** What tells the message of a call from others: each of its calls is carried out in its own session. */
export function messageOf(state: object, callId: string | undefined): string | undefined {
  const message = messagesOf(state).findLast(
    (each) => isAnswer(each) && each.tool_calls?.some(({ id }) => id === callId),
  )
  return message === undefined || !isAnswer(message)
    ? undefined
    : (message.id ?? message.tool_calls?.map(({ id }) => id).join())
}
