import {
  AIMessage,
  type BaseMessage,
  type BaseMessageLike,
  coerceMessageLikeToMessage,
  ToolMessage,
} from '@langchain/core/messages'

/**
 * Whether a message of a conversation is the model's. A class is looked for first: `isInstance` makes sure that its argument
 * is a message at all, which takes longer than what most messages are looked at for. It finds those of another copy of
 * LangChain, and chunks. Other middleware may put anything into the list that LangChain makes messages of later.
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
 * A message of a list into which other middleware may have put what LangChain makes messages of: a text, a pair of a role
 * and a text, an object with a role.
 */
export function asMessage(given: BaseMessage): BaseMessage {
  const like = given as BaseMessageLike | null
  const isLike =
    typeof like === 'string' || Array.isArray(like) || (typeof like === 'object' && like !== null && 'role' in like)
  return isLike ? coerceMessageLikeToMessage(like) : given
}
