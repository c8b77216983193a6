import type { StepView, Summarizer, ToolCall, ToolDefinition } from '@repertoire/core'
import {
  argumentsAsObject,
  readArguments,
  type PromptRequest,
  uniqueCallIds,
  type WindowMessage,
} from '@repertoire/core/adapter'
import type { TaskEndpoint } from '../driver.ts'

/** A message of chat completions. `own`: the session has said it, in the role of a person. */
export interface Message {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string | null
  readonly refusal?: string | null
  readonly own?: true
  readonly reasoning_content?: string
  readonly tool_call_id?: string
  readonly tool_calls?: readonly WireCall[]
}

interface WireCall {
  readonly id: string
  readonly function: { readonly name: string; readonly arguments: string }
}

/** What a server of chat completions answers with. */
interface Answer {
  readonly error: { readonly message: string }
  readonly choices: readonly [{ readonly message: Message }]
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number }
}

/** Calls a model over chat completions. @throws {Error} what the server says is wrong */
export async function callChatModel(
  { baseURL, apiKey, model }: TaskEndpoint,
  request: {
    readonly system?: string | undefined
    readonly messages: readonly Message[]
    readonly tools: readonly object[]
    readonly output?: object | undefined
  },
  signal: AbortSignal | undefined,
): Promise<{
  readonly message: Message
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number }
}> {
  const { system = '', messages, tools, output } = request
  const schema = { name: 'answer', strict: true, schema: output }
  const sent = [{ role: 'system', content: system }, ...messages.map(sentBack)]
  const response = await fetch(`${baseURL}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
    signal: signal ?? null,
    body: JSON.stringify({
      model,
      messages: sent,
      ...(tools.length > 0 && { tools }),
      ...(output && { response_format: { type: 'json_schema', json_schema: schema } }),
    }),
  })
  const { error, choices, usage } = (await response.json()) as Answer
  if (!response.ok) throw new Error(error.message)
  return {
    message: choices[0].message,
    usage: { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens },
  }
}

/** Returns the tools of the host that are in reach and those of skills, as chat completions offer them. */
export function offeredTools(
  own: readonly ToolDefinition[],
  { isHidden, tools }: Pick<StepView, 'isHidden' | 'tools'>,
): readonly object[] {
  return [...own.filter(({ name }) => !isHidden(name)), ...tools].map(({ name, description, inputSchema }) => ({
    type: 'function',
    function: { name, description, parameters: inputSchema },
  }))
}

/** Returns the text of an answer: what it says or, with a schema, the JSON of its value. */
export function textOf({ content, refusal }: Message, output: object | undefined): string {
  return output === undefined ? (content ?? refusal ?? '') : JSON.stringify(JSON.parse(content ?? ''))
}

/** Returns the calls of a message. */
export function callsOf({ tool_calls: calls = [] }: Message): readonly ToolCall[] {
  return calls.map(({ id, function: made }) => ({ id, tool: made.name, input: readArguments(made.arguments) }))
}

/** Models repeat ids, or leave them empty; what is judged, agreed to and answered is found by them. */
export function withUniqueIds({ tool_calls: calls = [], ...said }: Message, earlier: readonly Message[]): Message {
  const uniqueId = uniqueCallIds(earlier.flatMap((each) => callsOf(each).map(({ id }) => id)))
  return calls.length === 0 ? said : { ...said, tool_calls: calls.map((call) => ({ ...call, id: uniqueId(call.id) })) }
}

/** Returns a message as the session counts it. */
function asWindowMessage(message: Message): WindowMessage {
  const { role, content, own, reasoning_content: hidden, tool_call_id: answered } = message
  const answers = answered === undefined ? [] : [answered]
  return { role: role as 'user', text: content ?? '', hidden, calls: callsOf(message), answers, own }
}

/** Returns what makes summaries with a model, without tools. */
function summarizerOf(endpoint: TaskEndpoint): Summarizer {
  return async ({ instructions: system, prompt }, { signal }) => {
    const messages = [{ role: 'user' as const, content: prompt }]
    return (await callChatModel(endpoint, { system, messages, tools: [] }, signal)).message.content ?? ''
  }
}

/** Returns how a conversation is kept within a model's window. */
export function windowOf(
  model: TaskEndpoint,
  tools: readonly object[],
  signal: AbortSignal | undefined,
): Omit<PromptRequest<Message>, 'system' | 'messages'> {
  return {
    tools: tools.map((tool) => JSON.stringify(tool)),
    describe: asWindowMessage,
    asMessage: (content) => ({ role: 'user', content }),
    summarize: summarizerOf(model),
    signal,
  }
}

/** A server may refuse the whole conversation for one call whose arguments are not a JSON object. */
function sentBack({ own: _own, tool_calls: calls, ...message }: Message): object {
  return calls === undefined ? message : { ...message, tool_calls: calls.map(withObject) }
}

function withObject({ function: made, ...call }: WireCall): WireCall {
  const text = JSON.stringify(argumentsAsObject(readArguments(made.arguments)))
  return { ...call, function: { ...made, arguments: text } }
}
