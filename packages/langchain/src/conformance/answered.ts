import type { BaseMessage } from '@langchain/core/messages'
import { AIMessage, ToolMessage } from 'langchain'

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

/** A result for each call that has none. */
export function openResults(messages: readonly BaseMessage[], content: string): readonly ToolMessage[] {
  const answered = new Set(
    messages.map((message) => (ToolMessage.isInstance(message) ? message.tool_call_id : undefined)),
  )
  const calls = messages.flatMap((message) => (AIMessage.isInstance(message) ? (message.tool_calls ?? []) : []))
  const open = calls.filter(({ id }) => !answered.has(id))
  return open.map(({ id = '', name }) => new ToolMessage({ content, name, tool_call_id: id, status: 'error' }))
}
