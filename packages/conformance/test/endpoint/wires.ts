import { afterAll, beforeAll } from 'vitest'
import { type ModelEndpoint, openModelEndpoint } from '../../src/endpoint/endpoint.ts'
import type { Play } from '../../src/endpoint/play.ts'
import type { ProtocolName } from '../../src/endpoint/protocols.ts'
import type { ScriptStep } from '../../src/endpoint/script.ts'

/** A step with a text and two calls side by side, the second under its own id. */
export const callStep = {
  text: 'Let me look.',
  calls: [
    { tool: 'Bash', input: { command: 'git status' } },
    { id: 'mine', tool: 'Read', input: { file_path: 'docs/größe.md' } },
  ],
} satisfies ScriptStep

/** An endpoint for the tests of a file. */
export function useEndpoint(): () => ModelEndpoint {
  let endpoint: ModelEndpoint | undefined
  beforeAll(async () => {
    endpoint = await openModelEndpoint()
  })
  afterAll(() => endpoint?.close())
  return () => endpoint!
}

/** An answer as a client would have read it. */
export interface Heard {
  readonly model: string
  /** Why it ended, in the vendor's word. */
  readonly reason: string
  readonly text: string
  readonly refusal: string
  readonly reasoning: string
  /** Arguments as text, or as the value that the wire has. */
  readonly calls: readonly { readonly id: string; readonly tool: string; readonly input: unknown }[]
}

/** A wire, spoken by hand. */
export interface Wire {
  readonly protocol: ProtocolName
  /** A body with one message of the user's. */
  readonly hello: object
  readonly headers: (play: Play) => Readonly<Record<string, string>>
  readonly path: (play: Play, stream: boolean) => string
  /** Whether the body asks for a stream, and not the address. */
  readonly asksInBody: boolean
  /** Reads an answer in JSON, or what the events of one amount to. */
  readonly read: (answer: any) => Heard
  /** Puts events together to what JSON would have been. */
  readonly join: (events: readonly any[]) => any
  /** Something that only a complete stream contains. */
  readonly last: string
}

const bearer = ({ apiKey }: Play) => ({ authorization: `Bearer ${apiKey}` })
const joined = (texts: readonly (string | undefined)[]): string => texts.map((text) => text ?? '').join('')

const openai: Wire = {
  protocol: 'openai',
  hello: { model: 'any-model', messages: [{ role: 'user', content: 'Hello.' }] },
  headers: bearer,
  path: () => '/chat/completions',
  asksInBody: true,
  read: ({ model, choices: [{ message, finish_reason: reason }] }) => ({
    model,
    reason,
    text: message.content ?? '',
    refusal: message.refusal ?? '',
    reasoning: message.reasoning_content ?? '',
    calls: (message.tool_calls ?? []).map(({ id, function: called }: any) => ({
      id,
      tool: called.name,
      input: called.arguments,
    })),
  }),
  join(chunks) {
    const deltas = chunks.flatMap(({ choices: [choice] }) => choice?.delta ?? [])
    const calls: any[] = []
    for (const { index, ...part } of deltas.flatMap(({ tool_calls: parts = [] }) => parts)) {
      calls[index] ??= part
      if (calls[index] !== part) calls[index].function.arguments += part.function.arguments
    }
    const text = (name: string) => joined(deltas.map((delta) => delta[name]))
    const message = {
      content: text('content'),
      refusal: text('refusal'),
      reasoning_content: text('reasoning_content'),
      tool_calls: calls,
    }
    const [reason] = chunks.flatMap(({ choices: [choice] }) => choice?.finish_reason ?? [])
    return { model: chunks[0].model, choices: [{ message, finish_reason: reason }] }
  },
  last: '[DONE]',
}

const responses: Wire = {
  protocol: 'openai-responses',
  hello: { model: 'any-model', input: 'Hello.' },
  headers: bearer,
  path: () => '/responses',
  asksInBody: true,
  read({ model, status, incomplete_details: details, output }) {
    const of = (wanted: string) => output.filter(({ type }: any) => type === wanted)
    const parts = of('message').flatMap(({ content }: any) => content)
    return {
      model,
      reason: details?.reason ?? status,
      text: joined(parts.map(({ text }: any) => text)),
      refusal: joined(parts.map(({ refusal }: any) => refusal)),
      reasoning: joined(of('reasoning').flatMap(({ summary }: any) => summary.map(({ text }: any) => text))),
      calls: of('function_call').map(({ call_id: id, name, arguments: input }: any) => ({ id, tool: name, input })),
    }
  },
  join(events) {
    const output: any[] = []
    for (const { type, output_index: index, item, delta } of events) {
      if (type === 'response.output_item.added') output[index] = { ...item, written: '' }
      if (type.endsWith('.delta')) output[index].written += delta
    }
    const { response } = events.findLast(({ type }) => type.startsWith('response.')) ?? {}
    for (const item of output) {
      const refused = events.some((each) => each.type === 'response.refusal.delta' && each.item_id === item.id)
      if (item.type === 'function_call') item.arguments = item.written
      else if (item.type === 'reasoning') item.summary = [{ text: item.written }]
      else item.content = [refused ? { refusal: item.written } : { text: item.written }]
    }
    return { ...response, output }
  },
  last: '"type":"response.completed"',
}

const anthropic: Wire = {
  protocol: 'anthropic',
  hello: { model: 'any-model', max_tokens: 100, messages: [{ role: 'user', content: 'Hello.' }] },
  headers: ({ apiKey }) => ({ 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' }),
  path: () => '/v1/messages',
  asksInBody: true,
  read({ model, stop_reason: reason, content }) {
    const of = (wanted: string) => content.filter(({ type }: any) => type === wanted)
    return {
      model,
      reason,
      text: joined(of('text').map(({ text }: any) => text)),
      refusal: '',
      reasoning: joined(of('thinking').map(({ thinking }: any) => thinking)),
      calls: of('tool_use').map(({ id, name, input }: any) => ({ id, tool: name, input })),
    }
  },
  join(events) {
    const blocks: any[] = []
    for (const { type, index, content_block: block, delta } of events) {
      if (type === 'content_block_start') blocks[index] = { ...block, json: '' }
      if (type !== 'content_block_delta') continue
      if (delta.type === 'text_delta') blocks[index].text += delta.text
      if (delta.type === 'thinking_delta') blocks[index].thinking += delta.thinking
      if (delta.type === 'input_json_delta') blocks[index].json += delta.partial_json
    }
    const content = blocks.map(({ json, ...block }) => (block.type === 'tool_use' ? { ...block, input: json } : block))
    const end = events.find(({ type }) => type === 'message_delta')
    return { ...events[0].message, ...end?.delta, content }
  },
  last: 'message_stop',
}

const gemini: Wire = {
  protocol: 'gemini',
  hello: { contents: [{ role: 'user', parts: [{ text: 'Hello.' }] }] },
  headers: ({ apiKey }) => ({ 'x-goog-api-key': apiKey }),
  path: (_, stream) => `/v1beta/models/any-model:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  asksInBody: false,
  read({ modelVersion: model, candidates: [{ content, finishReason: reason }] }) {
    const texts = (thoughts: boolean) =>
      joined(content.parts.map(({ text, thought = false }: any) => (thought === thoughts ? text : '')))
    return {
      model,
      reason,
      text: texts(false),
      refusal: '',
      reasoning: texts(true),
      calls: content.parts.flatMap(({ functionCall: call }: any) =>
        call === undefined ? [] : [{ id: call.id, tool: call.name, input: call.args }],
      ),
    }
  },
  join: (events) => ({
    ...events.at(-1),
    candidates: [
      {
        ...events.at(-1).candidates[0],
        content: { parts: events.flatMap(({ candidates }) => candidates[0].content.parts) },
      },
    ],
  }),
  last: 'finishReason',
}

export const WIRES = { openai, responses, anthropic, gemini }

/** Every wire in JSON and as a stream. */
export const FORMS = Object.values(WIRES).flatMap((wire) =>
  [false, true].map((stream) => [wire.protocol, stream ? 'as a stream' : 'in JSON', wire, stream] as const),
)

/** Sends a request to a play, as a plain HTTP client does. Text and blobs are sent as they are. */
export function ask(
  play: Play,
  wire: Wire,
  { stream = false, body = wire.hello, path = wire.path(play, stream), headers = wire.headers(play) }: Asked = {},
): Promise<Response> {
  const sent = stream && wire.asksInBody ? { ...(body as object), stream } : body
  return fetch(play.baseURL + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof sent === 'string' || sent instanceof Blob ? sent : JSON.stringify(sent),
  })
}

interface Asked {
  readonly stream?: boolean
  readonly body?: unknown
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Reads an answer by hand. */
export async function hear(response: Response, wire: Wire): Promise<Heard> {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  return wire.read(isStream ? wire.join(await readEvents(response)) : await response.json())
}

/** Reads an event stream by hand: each event is a `data:` line, behind a name that is its type if it has one. */
export async function readEvents(response: Response): Promise<any[]> {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(await response.arrayBuffer())
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  const events = text.split(end + end)
  if (events.pop() !== '') throw new Error('The stream does not end with an empty line.')
  return events.flatMap((event) => {
    const [, name, data] = /^(?:event: (.*)\r?\n)?data: (.*)$/.exec(event) ?? []
    if (data === undefined) throw new Error(`Not an event: ${event}`)
    if (data === '[DONE]') return []
    const read = JSON.parse(data)
    if (read.type !== name) throw new Error(`An event of the type ${read.type} is named ${name}.`)
    return [read]
  })
}
