import type { Play } from '../src/endpoint/play.ts'

/** A message as an SDK would have put it together. */
export interface Received {
  readonly content: string | null
  readonly toolCalls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[]
  readonly reasoning?: string
  /** What Gemini sent. */
  readonly parts?: readonly unknown[]
  readonly finishReason: string | null
  readonly usage: unknown
}

/** Sends a chat-completions request to a play, as a plain HTTP client does. Text and blobs are sent as they are. */
export function post(play: Play, body: unknown, options: { signal?: AbortSignal; key?: string } = {}) {
  return fetch(`${play.baseURL}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${options.key ?? play.apiKey}` },
    body: typeof body === 'string' || body instanceof Blob ? body : JSON.stringify(body),
    signal: options.signal,
  })
}

/** A body with one user's message, and whatever else is given. */
export function hello(more: Readonly<Record<string, unknown>> = {}) {
  return { model: 'conformance-model', messages: [{ role: 'user', content: 'Hello.' }], ...more }
}

/** Reads an answer that came as JSON. */
export async function readJson(response: Response): Promise<Received> {
  const { choices, usage } = (await response.json()) as any
  const [{ message, finish_reason }] = choices
  return {
    content: message.content,
    reasoning: message.reasoning_content,
    toolCalls: (message.tool_calls ?? []).map((call: any) => ({
      id: call.id,
      name: call.function.name,
      arguments: call.function.arguments,
    })),
    finishReason: finish_reason,
    usage,
  }
}

/** Reads an event stream to its end, by hand: `data:` lines, each ended by an empty line. */
export async function readEvents(response: Response): Promise<{ chunks: any[]; done: boolean; reads: number }> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let reads = 0
  for await (const bytes of response.body!) {
    reads += 1
    text += decoder.decode(bytes, { stream: true })
  }
  text += decoder.decode()
  const events = text.split('\n\n')
  if (events.pop() !== '') throw new Error('The stream does not end with an empty line.')
  const data = events.map((event) => {
    if (!event.startsWith('data: ') || event.includes('\n')) throw new Error(`Not one data line: ${event}`)
    return event.slice('data: '.length)
  })
  const done = data.at(-1) === '[DONE]'
  return { chunks: (done ? data.slice(0, -1) : data).map((item) => JSON.parse(item)), done, reads }
}

/** Puts chunks together as SDKs do: contents and arguments are concatenated, calls told apart by their index. */
export function assemble(chunks: readonly any[]): Received {
  const calls: { id: string; name: string; arguments: string }[] = []
  let content: string | null = null
  let reasoning: string | undefined
  let finishReason: string | null = null
  let usage: unknown
  for (const chunk of chunks) {
    if (chunk.usage) usage = chunk.usage
    const [choice] = chunk.choices
    if (choice === undefined) continue
    if (typeof choice.delta.content === 'string') content = (content ?? '') + choice.delta.content
    if (choice.delta.reasoning_content) reasoning = (reasoning ?? '') + choice.delta.reasoning_content
    for (const part of choice.delta.tool_calls ?? []) {
      const call = (calls[part.index] ??= { id: part.id, name: part.function.name, arguments: '' })
      call.arguments += part.function.arguments
    }
    finishReason = choice.finish_reason ?? finishReason
  }
  return { content, reasoning, toolCalls: calls, finishReason, usage }
}
