import { type AIMessage, AIMessageChunk, type BaseMessage } from '@langchain/core/messages'
import { uniqueCallIds } from '@repertoire/core/adapter'

/**
 * Takes apart what LangChain has joined. It takes calls that Gemini streams whole with one id for pieces of one call
 * (`_mergeLists` and `collapseToolCallChunks` of `@langchain/core`); the content has each by itself.
 */
export function separateCalls(answer: AIMessage): void {
  const { content, tool_calls: joined = [], invalid_tool_calls: invalid = [] } = answer
  if (typeof content === 'string') return
  const whole = content.flatMap((part) => geminiCall(part) ?? [])
  if (whole.length <= joined.length + invalid.length) return
  answer.tool_calls = whole.map(({ id = '', name, args = {} }) => ({ type: 'tool_call' as const, id, name, args }))
  answer.invalid_tool_calls = []
  // If a checkpoint stored these, reading it would restore the calls from them.
  if (AIMessageChunk.isInstance(answer)) answer.tool_call_chunks = []
}

/**
 * Gives every call of an answer a unique id, wherever LangChain keeps the call: what is noted about a call is found
 * by its id.
 * @param messages the conversation before it
 */
export function giveUniqueIds(answer: AIMessage, messages: readonly BaseMessage[]): void {
  const earlier: string[] = []
  for (const message of messages) for (const { id } of callsOf(message)) if (id !== undefined) earlier.push(id)
  const uniqueId = uniqueCallIds(earlier)
  const calls = [...callsOf(answer), ...(answer.invalid_tool_calls ?? [])].map(
    ({ id = '' }) => [id, uniqueId(id)] as const,
  )
  if (calls.every(([id, unique]) => id === unique)) return
  // Every list has the calls in the same order: the first one of an id is the first one everywhere.
  const renamer = (): Rename => {
    const waiting = Map.groupBy(calls, ([id]) => id)
    return (id) => waiting.get(id ?? '')?.shift()?.[1] ?? id
  }
  const rename = renamer()
  answer.tool_calls = callsOf(answer).map((call) => ({ ...call, id: rename(call.id) ?? '' }))
  answer.invalid_tool_calls = (answer.invalid_tool_calls ?? []).map((call) => ({ ...call, id: rename(call.id) ?? '' }))
  if (AIMessageChunk.isInstance(answer)) {
    answer.tool_call_chunks = renamed(answer.tool_call_chunks ?? [], renamer())
  }
  if (typeof answer.content !== 'string') answer.content = renamed(answer.content, renamer())
  const { additional_kwargs: kwargs, response_metadata: metadata } = answer
  if (Array.isArray(kwargs['tool_calls'])) {
    answer.additional_kwargs = { ...kwargs, tool_calls: renamed(kwargs['tool_calls'], renamer()) }
  }
  // The items of OpenAI's responses.
  if (Array.isArray(metadata['output'])) {
    answer.response_metadata = { ...metadata, output: renamed(metadata['output'] as object[], renamer()) }
  }
}

type Rename = (id: string | undefined) => string | undefined

function callsOf(message: BaseMessage): NonNullable<AIMessage['tool_calls']> {
  return (message as Partial<AIMessage>).tool_calls ?? []
}

/** How LangChain and the providers mark a call that stands among other parts. Chunks and raw calls may have no mark. */
const CALLS: ReadonlySet<unknown> = new Set([undefined, 'function', 'tool_call', 'tool_call_chunk', 'tool_use'])

/** A call as Gemini's package keeps it in the content. */
interface GeminiCall {
  readonly id?: string
  readonly name: string
  readonly args?: Record<string, unknown>
}

function geminiCall(part: object): GeminiCall | undefined {
  return (part as { readonly functionCall?: GeminiCall }).functionCall
}

/** The parts of a message, with new ids for its calls. */
function renamed<Part extends object>(parts: readonly Part[], rename: Rename): Part[] {
  return parts.map((part) => {
    const { type, id, call_id } = part as { readonly type?: unknown; readonly id?: string; readonly call_id?: string }
    const functionCall = geminiCall(part)
    if (functionCall?.id !== undefined) {
      return { ...part, functionCall: { ...functionCall, id: rename(functionCall.id) } }
    }
    if (type === 'function_call') return { ...part, call_id: rename(call_id) }
    return CALLS.has(type) && id !== undefined ? { ...part, id: rename(id) } : part
  })
}
