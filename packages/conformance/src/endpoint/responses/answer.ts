import { randomUUID } from 'node:crypto'
import type { EncodedMessage } from '../dialect.ts'
import { type Fields } from '../fields.ts'
import { piecesOf } from '../pieces.ts'
import type { Memory, WrittenAnswer } from '../protocol.ts'
import { seal } from '../seal.ts'
import { countTokens } from '../tokens.ts'
import { readItems } from './items.ts'
import { inputOf } from './request.ts'

/**
 * The answer as one response, or as the events of a stream; both are stored, unless the request says otherwise. OpenAI
 * API reference, "The response object", "Streaming events".
 */
export function writeAnswer(body: Fields, message: EncodedMessage, memory: Memory): WrittenAnswer {
  const output = itemsOf(message)
  const head = headOf(body)
  if (body.store !== false) store(head.id, body, output, memory)
  const shown = output.map((item) => shownItem(item, body))
  const completed = {
    ...head,
    status: 'completed',
    completed_at: head.created_at,
    output: shown,
    usage: usageOf(body, message),
  }
  if (body.stream !== true) return { contentType: 'application/json', parts: [JSON.stringify(completed)] }
  const begun = { ...head, status: 'in_progress', completed_at: null, output: [], usage: null }
  const events = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...shown.flatMap((item, index) => itemEvents(item, index)),
    { type: 'response.completed', response: completed },
  ]
  return {
    contentType: 'text/event-stream; charset=utf-8',
    parts: events.map(
      (event, number) => `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number: number })}\n\n`,
    ),
  }
}

/** A response, and each of its items with the reasoning that led to it, by their ids. */
function store(id: string, body: Fields, output: readonly Fields[], memory: Memory): void {
  const { previous_response_id: previous } = body
  const before = typeof previous === 'string' ? (memory.stored.get(previous) ?? []) : []
  memory.stored.set(id, [...before, ...readItems(inputOf(body), memory), ...output])
  for (const [index, item] of output.entries()) {
    const led = output[index - 1]
    memory.stored.set(String(item.id), led?.type === 'reasoning' ? [item, led] : [item])
  }
}

function itemsOf({ content, toolCalls = [], reasoning }: EncodedMessage): Fields[] {
  const thoughts = reasoning === undefined ? [] : [reasoning]
  // A model that only calls tools writes no message.
  const texts = content === null || (content === '' && toolCalls.length > 0) ? [] : [content]
  return [
    ...thoughts.map(({ text, hidden = false }) => ({
      id: newId('rs'),
      type: 'reasoning',
      summary: hidden ? [] : [{ type: 'summary_text', text }],
      encrypted_content: seal(text),
    })),
    ...texts.map((text) => ({
      id: newId('msg'),
      type: 'message',
      status: 'completed',
      role: 'assistant',
      content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
    })),
    ...toolCalls.map((call) => ({
      id: newId('fc'),
      type: 'function_call',
      status: 'completed',
      call_id: call.id,
      name: call.tool,
      arguments: call.arguments,
    })),
  ]
}

/** An item as the client sees it: encrypted reasoning only if it asks for it. */
function shownItem(item: Fields, { include }: Fields): Fields {
  if (item.type !== 'reasoning' || (Array.isArray(include) && include.includes('reasoning.encrypted_content')))
    return item
  const { encrypted_content: _, ...shown } = item
  return shown
}

type Event = Fields & { readonly type: string }

function itemEvents(item: Fields, index: number): Event[] {
  const at = { item_id: item.id, output_index: index }
  return [
    { type: 'response.output_item.added', output_index: index, item: begunItem(item) },
    ...partEvents(item, at),
    { type: 'response.output_item.done', output_index: index, item },
  ]
}

/** An item before its first piece. */
function begunItem(item: Fields): Fields {
  if (item.type === 'reasoning') return { ...item, summary: [] }
  if (item.type === 'message') return { ...item, status: 'in_progress', content: [] }
  return { ...item, status: 'in_progress', arguments: '' }
}

function partEvents(item: Fields, at: Fields): Event[] {
  if (item.type === 'function_call') {
    const written = String(item.arguments)
    return [
      ...piecesOf(written).map((delta) => ({ type: 'response.function_call_arguments.delta', ...at, delta })),
      { type: 'response.function_call_arguments.done', ...at, name: item.name, arguments: written },
    ]
  }
  const [kind, place, parts] =
    item.type === 'message'
      ? (['output_text', 'content', item.content] as const)
      : (['reasoning_summary_text', 'summary', item.summary] as const)
  const prefix = kind === 'output_text' ? 'response.content_part' : 'response.reasoning_summary_part'
  // Only texts of answers have probabilities.
  const logprobs = kind === 'output_text' ? { logprobs: [] } : {}
  return (parts as readonly Fields[]).flatMap((part, number) => {
    const here = { ...at, [`${place}_index`]: number }
    const text = String(part.text)
    return [
      { type: `${prefix}.added`, ...here, part: { ...part, text: '' } },
      ...piecesOf(text).map((delta) => ({ type: `response.${kind}.delta`, ...here, delta, ...logprobs })),
      { type: `response.${kind}.done`, ...here, text, ...logprobs },
      { type: `${prefix}.done`, ...here, part },
    ]
  })
}

/** What the response repeats of the request, and the defaults of what the request leaves out. */
function headOf(body: Fields) {
  return {
    id: newId('resp'),
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    background: false,
    error: null,
    incomplete_details: null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: body.max_tool_calls ?? null,
    metadata: body.metadata ?? {},
    model: String(body.model),
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: body.previous_response_id ?? null,
    prompt_cache_key: body.prompt_cache_key ?? null,
    reasoning: body.reasoning ?? { effort: null, summary: null },
    safety_identifier: body.safety_identifier ?? null,
    service_tier: 'default',
    store: body.store ?? true,
    temperature: body.temperature ?? 1,
    text: body.text ?? { format: { type: 'text' } },
    tool_choice: body.tool_choice ?? 'auto',
    tools: body.tools ?? [],
    top_logprobs: body.top_logprobs ?? 0,
    top_p: body.top_p ?? 1,
    truncation: body.truncation ?? 'disabled',
    user: body.user ?? null,
  }
}

function usageOf(body: Fields, message: EncodedMessage): object {
  const { prompt, cached, answer, reasoning } = countTokens(body, message)
  return {
    input_tokens: prompt,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: answer,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: prompt + answer,
  }
}

function newId(prefix: string): string {
  return `${prefix}_${randomUUID().replaceAll('-', '')}`
}
