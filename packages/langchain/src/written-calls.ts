import { AIMessage } from '@langchain/core/messages'

/** Key under which a message stores its calls as the model wrote them. It is not sent to the model. */
const WRITTEN = 'repertoire_calls'

type Calls = NonNullable<AIMessage['tool_calls']>

/**
 * Notes the calls of a message on it. `humanInTheLoopMiddleware` puts those about which a person was asked behind the
 * others, and takes the approved ones out where another one was rejected.
 */
export function noteCalls(message: AIMessage): void {
  const { tool_calls: calls = [], response_metadata: metadata } = message
  // A single call keeps its place.
  if (calls.length < 2) return
  message.response_metadata = { ...metadata, [WRITTEN]: calls.map(({ id, name, args }) => ({ id, name, args })) }
}

/** A message with all calls that the model wrote, in their order. What a person has edited stays as it was edited. */
export function withWrittenCalls(message: AIMessage): AIMessage {
  const { response_metadata, tool_calls: calls = [] } = message
  const noted: unknown = response_metadata[WRITTEN]
  if (!Array.isArray(noted) || calls.length === 0) return message
  const written = noted as Calls
  const ids = written.map((call) => call.id)
  const isPart = calls.every((call) => ids.includes(call.id))
  if (!isPart || (calls.length === ids.length && calls.every((call, index) => call.id === ids[index]))) return message
  const tool_calls = written.map(
    (call) => calls.find((each) => each.id === call.id) ?? { ...call, type: 'tool_call' as const },
  )
  const { content, id, name, additional_kwargs } = message
  return new AIMessage({ content, id, name, additional_kwargs, response_metadata, tool_calls })
}
