import type { BaseMessage } from '@langchain/core/messages'

/** What a run leaves. */
export interface Answered {
  readonly messages: BaseMessage[]
  /** With a schema for answers, the value. */
  readonly structuredResponse?: unknown
}

/** Returns the text of the last answer or, with a schema, its value. */
export function answerOf({ messages, structuredResponse }: Answered): string {
  if (structuredResponse !== undefined) return JSON.stringify(structuredResponse)
  const { text = '', additional_kwargs: { refusal } = {} } = messages.at(-1) ?? {}
  // LangChain keeps what a model of OpenAI says in a refusal beside the text.
  return typeof refusal === 'string' ? refusal : text
}
