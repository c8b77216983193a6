import { AIMessage, AIMessageChunk, type BaseMessage, HumanMessage, type SystemMessage } from '@langchain/core/messages' // prettier-ignore
import type { ClientTool, ServerTool } from '@langchain/core/tools'
import { Command } from '@langchain/langgraph'
import { argumentsSentBack, readArguments, type StepView, type TokenUsage } from '@repertoire/core'

/** The name under which a gate knows a tool; a provider's own tool may have a `type` alone. */
export function toolName(tool: ClientTool | ServerTool): string {
  const { name, function: described, type } = tool as { name?: unknown; function?: { name?: unknown }; type?: unknown }
  return String(name ?? described?.name ?? type)
}

/** Where a message keeps that it is the session's. It is not sent to the model. */
const FROM = 'repertoire_from'

/** What the session says of a person's message, for the place behind it. */
export function asTurn(text: string): HumanMessage {
  return new HumanMessage({ content: text, response_metadata: { [FROM]: 'skills' } })
}

/** Whether a message is a person's: a turn begins with it, and never with what the session said of one. */
export function isPersons(message: BaseMessage | undefined): message is HumanMessage {
  return HumanMessage.isInstance(message) && message.response_metadata[FROM] !== 'skills'
}

/** The words of a message. Its parts stay apart: "/name" and what follows it may be two of them. */
export function wordsOf({ content }: BaseMessage): string {
  if (typeof content === 'string') return content
  return content.flatMap((part) => (part.type === 'text' ? [String(part['text'])] : [])).join('\n')
}

/** The host's own system message with what a step shows after it. Its blocks, such as marks for a cache, stay. */
export function withInstructions(own: SystemMessage, view: StepView): SystemMessage {
  const shown = view.system(own.text) ?? ''
  return shown === own.text ? own : own.concat(shown.slice(own.text.length))
}

/** A system message with a text at its end. */
export function withReminder(system: SystemMessage, text: string | undefined): SystemMessage {
  if (text === undefined) return system
  return system.concat(system.text === '' ? text : `\n\n${text}`)
}

/**
 * Keeps the calls of a message whose arguments are no valid JSON, with the text as their input, so that they go the
 * way of every call. LangChain sets them aside, which ends the run without a word and leaves the provider a call
 * without a result; for a streamed one it makes up the rest.
 */
export function keepEveryCall(message: AIMessage): void {
  const aside = message.invalid_tool_calls ?? []
  const written = writtenArguments(message)
  const calls = [...(message.tool_calls ?? []), ...aside].map(({ id, name = '', args }) => {
    const text = id === undefined ? undefined : written.get(id)
    // The input of a call is foreign in any case, whatever LangChain's type says of it.
    return {
      type: 'tool_call' as const,
      id,
      name,
      args: (text === undefined ? args : readArguments(text)) as Record<string, unknown>,
    }
  })
  if (aside.length === 0 && calls.every(({ args }) => typeof args !== 'string')) return
  message.tool_calls = calls
  message.invalid_tool_calls = []
  // Where a checkpoint keeps these, reading it makes the calls up from them again.
  if (AIMessageChunk.isInstance(message)) message.tool_call_chunks = []
}

/**
 * What a model call took: nothing is known where other middleware has answered. With a format for the answer, LangChain
 * gives the model's message among others, or in an update of the graph's state.
 */
export function usageOf(response: unknown): TokenUsage | undefined {
  const from = response instanceof Command ? response.update : response
  const { messages } = (from ?? {}) as { readonly messages?: unknown }
  const said = [from, ...(Array.isArray(messages) ? messages : [])].find((each) => AIMessage.isInstance(each))
  if (said === undefined) return undefined
  const { usage_metadata: usage } = said
  return usage === undefined ? {} : { inputTokens: usage.input_tokens, outputTokens: usage.output_tokens }
}

/** A message as it is sent back to the model: see `argumentsSentBack`. */
export function sentBack(message: BaseMessage): BaseMessage {
  if (!AIMessage.isInstance(message)) return message
  const { content, id, name, additional_kwargs, response_metadata, tool_calls = [] } = message
  const calls = tool_calls.map((call) => ({ ...call, args: argumentsSentBack(call.args) }))
  if (calls.every(({ args }, index) => args === tool_calls[index]?.args)) return message
  const blocks = typeof content === 'string' ? content : content.map(blockSentBack)
  return new AIMessage({ content: blocks, id, name, additional_kwargs, response_metadata, tool_calls: calls })
}

/** Anthropic's and Google's packages keep a call in the content too, as it came, and send that one. */
function blockSentBack<Block extends object>(block: Block): Block {
  const { input, functionCall } = block as { input?: unknown; functionCall?: { args?: unknown } }
  if (functionCall !== undefined) {
    return { ...block, functionCall: { ...functionCall, args: argumentsSentBack(functionCall.args) } }
  }
  return input === undefined || typeof input === 'string' ? block : { ...block, input: argumentsSentBack(input) }
}

/** The arguments as the model wrote them, by the call's id, where LangChain still has them. */
function writtenArguments(message: AIMessage): ReadonlyMap<string, string> {
  const chunks = AIMessageChunk.isInstance(message) ? (message.tool_call_chunks ?? []) : []
  const parts =
    chunks.length > 0 ? chunks.filter((chunk) => !('isCustomTool' in chunk)) : (message.invalid_tool_calls ?? [])
  const written = new Map<string, string>()
  const ids = new Map<unknown, string>()
  for (const part of parts) {
    const index = 'index' in part ? part.index : undefined
    if (part.id) ids.set(index, part.id)
    const id = part.id ?? ids.get(index)
    if (id !== undefined) written.set(id, (written.get(id) ?? '') + (part.args ?? ''))
  }
  return written
}
