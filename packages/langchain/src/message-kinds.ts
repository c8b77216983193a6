import {
  AIMessage,
  type BaseMessage,
  type BaseMessageLike,
  coerceMessageLikeToMessage,
  ToolMessage,
} from '@langchain/core/messages'

/**
 * Whether a message of a conversation is the model's. A class is looked for first: `isInstance`, which finds those of
 * another copy of LangChain, and chunks, makes sure that its argument is a message at all, which takes longer than the
 * rest. Other middleware may put anything into the list that LangChain makes messages of later.
 */
export function isAnswer(message: BaseMessage | null | undefined): message is AIMessage {
  if (message instanceof AIMessage) return true
  return message?.type === 'ai' && AIMessage.isInstance(message)
}

/** Whether a message of a conversation is the result of a call. */
export function isResult(message: BaseMessage | null | undefined): message is ToolMessage {
  if (message instanceof ToolMessage) return true
  return message?.type === 'tool' && ToolMessage.isInstance(message)
}

/**
 * The messages of a list into which other middleware may have put what LangChain makes messages of: texts, pairs of a
 * role and a text, objects with a role.
 */
export function asMessages(given: readonly BaseMessage[]): readonly BaseMessage[] {
  return given.some(isLike) ? given.map((each) => (isLike(each) ? coerceMessageLikeToMessage(each) : each)) : given
}

function isLike(given: BaseMessageLike | null): given is BaseMessageLike {
  return (
    typeof given === 'string' ||
    Array.isArray(given) ||
    (typeof given === 'object' && given !== null && 'role' in given)
  )
}

/**
 * What tells the message of a call from others: each of its calls is carried out in its own session. It is looked for
 * in the thread as it is stored, whatever other middleware has made of it for the model.
 */
export function messageOf(state: object, callId: string | undefined): string | undefined {
  const stored: readonly BaseMessage[] = Reflect.get(state, 'messages') ?? []
  const message = stored.filter(isAnswer).findLast(({ tool_calls }) => tool_calls?.some(({ id }) => id === callId))
  return message?.id ?? message?.tool_calls?.map(({ id }) => id).join()
}
