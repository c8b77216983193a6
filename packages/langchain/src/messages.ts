import {
  AIMessage,
  AIMessageChunk,
  type BaseMessage,
  HumanMessage,
  type SystemMessage,
  ToolMessage,
} from '@langchain/core/messages'
import type { ClientTool, ServerTool } from '@langchain/core/tools'
import { Command } from '@langchain/langgraph'
import type { TokenUsage } from '@repertoire/core'
import { abandonedCallText, argumentsAsObject, readArguments } from '@repertoire/core/adapter'
import { asMessages, isAnswer, isResult } from './message-kinds.ts'
import { withNotedCalls } from './noted-calls.ts'

/** The name of a tool for the gate; a provider's own tool may have only a `type`. */
export function toolName(tool: ClientTool | ServerTool): string {
  const { name, function: described, type } = tool as { name?: unknown; function?: { name?: unknown }; type?: unknown }
  return String(name ?? described?.name ?? type)
}

/** Marks a message as the session's. It is not sent to the model. */
const FROM = 'repertoire_from'

/** The message that the session adds after a person's message. */
export function asTurn(text: string): HumanMessage {
  return new HumanMessage({ content: text, response_metadata: { [FROM]: 'skills' } })
}

/** Whether a person wrote the message: a turn begins with it, and never with a message of the session. */
export function isPersons(message: BaseMessage | undefined): message is HumanMessage {
  return HumanMessage.isInstance(message) && message.response_metadata[FROM] !== 'skills'
}

/**
 * The text of a message, as its own `text` has it: that converts the blocks of every provider first, which takes longer
 * than most of a step, and changes nothing where all blocks are texts. Thoughts of Gemini are texts that were not said.
 */
export function textOf(message: BaseMessage): string {
  const { content } = message
  if (typeof content === 'string') return content
  let text = ''
  for (const block of content) {
    if (block.type !== 'text' || typeof block['text'] !== 'string') return message.text
    if (block['thought'] !== true) text += block['text']
  }
  return text
}

/** Extends a system message to a text that begins with its own. Its blocks, such as cache markers, stay. */
export function extendSystemMessage(text: string | undefined, message: SystemMessage): SystemMessage {
  const own = textOf(message)
  return text === undefined || text === own ? message : message.concat(text.slice(own.length))
}

/**
 * Restores the calls of a message whose arguments are not valid JSON, in their position and with the text as their
 * input, so that they are handled like every call. LangChain puts them into a separate list, which silently ends the
 * run and leaves the provider a call without a result; for a streamed call it invents the missing part.
 *
 * @param nameOf resolves a name to that of a tool. Other middleware looks up calls by their exact names: a call that a
 * person must approve under one name must not run under another.
 */
export function keepEveryCall(message: AIMessage, nameOf: (name: string) => string | undefined = (name) => name): void {
  const aside = message.invalid_tool_calls ?? []
  const written = writtenArguments(message)
  const calls = inOrder(message, [...(message.tool_calls ?? []), ...aside]).map(({ id, name = '', args }) => {
    const text = id === undefined ? undefined : written.get(id)
    // The input of a call comes from the model, whatever LangChain's type says.
    return {
      type: 'tool_call' as const,
      id,
      name: nameOf(name) ?? name,
      args: (text === undefined ? args : readArguments(text)) as Record<string, unknown>,
    }
  })
  const isAsWritten = calls.every(({ name }, index) => name === message.tool_calls?.[index]?.name)
  if (aside.length === 0 && isAsWritten && calls.every(({ args }) => typeof args !== 'string')) return
  message.tool_calls = calls
  message.invalid_tool_calls = []
  if (!isAsWritten && typeof message.content !== 'string') {
    message.content = message.content.map((block) => blockNamed(block, nameOf))
  }
  // If a checkpoint stored these, reading it would restore the calls from them.
  if (AIMessageChunk.isInstance(message)) message.tool_call_chunks = []
}

/**
 * The token usage of a model call, unknown if other middleware has answered instead. With a response format, LangChain
 * returns the model's message among others, or in an update of the graph's state.
 */
export function usageOf(response: unknown): TokenUsage | undefined {
  if (AIMessage.isInstance(response)) return usageIn(response)
  const from = response instanceof Command ? response.update : response
  const { messages } = (from ?? {}) as { readonly messages?: unknown }
  const said = [from, ...(Array.isArray(messages) ? messages : [])].find((each) => AIMessage.isInstance(each))
  return said && usageIn(said)
}

function usageIn({ usage_metadata: usage }: AIMessage): TokenUsage {
  return usage === undefined ? {} : { inputTokens: usage.input_tokens, outputTokens: usage.output_tokens }
}

/**
 * The messages of a conversation as the model is sent them, in a list of their own: with all calls that it wrote and
 * with arguments that providers accept, and with a result for every call that has none, since a person wrote on instead
 * of answering, or a run was aborted. Model APIs reject a message after such a call, so the thread could not continue.
 */
export function wholeMessages(given: readonly BaseMessage[]): BaseMessage[] {
  const messages = asMessages(given)
  const sent: BaseMessage[] = []
  let at = 0
  while (at < messages.length) {
    const message = messages[at++]!
    if (!isAnswer(message)) {
      sent.push(message)
      continue
    }
    const whole = withNotedCalls(message)
    sent.push(sentBack(whole))
    const results: ToolMessage[] = []
    for (let next = messages[at]; isResult(next); next = messages[++at]) results.push(next)
    for (const result of resultsOf(whole, results)) sent.push(result)
  }
  return sent
}

/** The results behind a message. Added ones stand in the order of the calls, since some providers go by it. */
function resultsOf({ tool_calls: calls = [] }: AIMessage, results: readonly ToolMessage[]): readonly ToolMessage[] {
  // So it is nearly always, and this looks at every message of the conversation before every model call.
  if (calls.every(({ id }, index) => id === undefined || id === results[index]?.tool_call_id)) return results
  const answered = new Set(results.map((each) => each.tool_call_id))
  const open = calls.filter(({ id }) => id !== undefined && !answered.has(id))
  if (open.length === 0) return results
  const order = calls.map(({ id }) => id)
  return [...results, ...open.map(({ id = '', name }) => abandoned(id, name))].toSorted(
    (one, other) => order.indexOf(one.tool_call_id) - order.indexOf(other.tool_call_id),
  )
}

function abandoned(id: string, name: string): ToolMessage {
  return new ToolMessage({ content: abandonedCallText(name), name, tool_call_id: id, status: 'error' })
}

/** A message with the arguments that are sent back to the model, see `argumentsAsObject`. */
export function sentBack(message: AIMessage): AIMessage {
  const { content, id, name, additional_kwargs, response_metadata, tool_calls = [] } = message
  const metadata = metadataSentBack(response_metadata)
  if (metadata === response_metadata && tool_calls.every(({ args }) => argumentsAsObject(args) === args)) return message
  const calls = tool_calls.map((call) => ({ ...call, args: argumentsAsObject(call.args) }))
  const blocks = typeof content === 'string' ? content : content.map(blockSentBack)
  return new AIMessage({
    content: blocks,
    id,
    name,
    additional_kwargs,
    response_metadata: metadata,
    tool_calls: calls,
  })
}

/** OpenAI's package keeps the items of a response as they came, and sends those. */
function metadataSentBack(metadata: AIMessage['response_metadata']): AIMessage['response_metadata'] {
  const items: unknown = metadata['output']
  if (!Array.isArray(items)) return metadata
  const output = items.map(itemSentBack)
  return output.every((item, index) => item === items[index]) ? metadata : { ...metadata, output }
}

function itemSentBack<Item extends { readonly type?: unknown; readonly arguments?: unknown }>(item: Item): Item {
  const { type, arguments: written } = item
  if (type !== 'function_call' || typeof written !== 'string') return item
  const read = readArguments(written)
  const input = argumentsAsObject(read)
  return written.trim() !== '' && input === read ? item : { ...item, arguments: JSON.stringify(input) }
}

/** Gives a call in the content the name that it has in `tool_calls`: Gemini rejects a result with another name. */
function blockNamed<Block extends object>(block: Block, nameOf: (name: string) => string | undefined): Block {
  const named = <Call extends { readonly name?: unknown }>(call: Call): Call =>
    typeof call.name === 'string' ? { ...call, name: nameOf(call.name) ?? call.name } : call
  const { type, functionCall } = block as { readonly type?: unknown; readonly functionCall?: { name?: unknown } }
  if (functionCall !== undefined) return { ...block, functionCall: named(functionCall) }
  return type === 'tool_use' ? named(block as Block & { readonly name?: unknown }) : block
}

/** Anthropic's and Google's packages also keep the original call in the content, and send that. */
function blockSentBack<Block extends object>(block: Block): Block {
  const { input, functionCall } = block as { input?: unknown; functionCall?: { args?: unknown } }
  if (functionCall !== undefined) {
    return { ...block, functionCall: { ...functionCall, args: argumentsAsObject(functionCall.args) } }
  }
  return input === undefined || typeof input === 'string' ? block : { ...block, input: argumentsAsObject(input) }
}

/** Calls in the model's order, as far as LangChain has kept it; the others at the end. */
function inOrder<Call extends { readonly id?: string | undefined }>(message: AIMessage, calls: Call[]): Call[] {
  if (calls.length < 2 || !message.invalid_tool_calls?.length) return calls
  const { content, additional_kwargs, response_metadata } = message
  const chunks = AIMessageChunk.isInstance(message) ? message.tool_call_chunks : undefined
  // The chunks of a stream, the raw calls of chat completions, the items of OpenAI's responses, the blocks of a
  // content.
  const places = [chunks, additional_kwargs['tool_calls'], response_metadata['output'], content].map(idsOf)
  const ids = places.find((known) => calls.every(({ id }) => id !== undefined && known.includes(id))) ?? places.flat()
  const placeOf = ({ id }: Call): number => (id !== undefined && ids.includes(id) ? ids.indexOf(id) : ids.length)
  return calls.toSorted((one, other) => placeOf(one) - placeOf(other))
}

function idsOf(parts: unknown): readonly string[] {
  if (!Array.isArray(parts)) return []
  return parts.flatMap((part: { readonly id?: unknown; readonly call_id?: unknown } | null) => {
    const id = part?.call_id ?? part?.id
    return typeof id === 'string' ? [id] : []
  })
}

/** The arguments as the model wrote them, by the call's id, if LangChain has kept them. */
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
