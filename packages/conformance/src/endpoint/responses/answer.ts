import { randomUUID } from 'node:crypto'
import { inEvents, inJson, type WrittenAnswer } from '../answer.ts'
import type { EncodedMessage } from '../dialect.ts'
import type { Fields } from '../fields.ts'
import { piecesOf } from '../pieces.ts'
import type { Memory } from '../protocol.ts'
import { seal } from '../seal.ts'
import { countTokens } from '../tokens.ts'
import { itemsOf } from './request.ts'

/**
 * The answer as one response, or as the events of a stream; both are stored, unless the request says otherwise. OpenAI
 * API reference, "The response object", "Streaming events".
 */
export function writeAnswer(body: Fields, message: EncodedMessage, memory: Memory): WrittenAnswer {
  const output = outputOf(message)
  const head = headOf(body, message)
  if (body.store !== false) store(head.id, body, output, memory)
  const shown = output.map((item) => shownItem(item, body))
  const [status, details] =
    message.end === 'length' ? ['incomplete', { reason: 'max_output_tokens' }] : ['completed', null]
  const usage = usageOf(body, message)
  const whole = { ...head, status, incomplete_details: details, output: shown, usage }
  if (body.stream !== true) return inJson(whole)
  const begun = { ...head, status: 'in_progress', incomplete_details: null, output: [], usage: null }
  const events = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...shown.flatMap(itemEvents),
  ].map((event, number) => ({ ...event, sequence_number: number }))
  return inEvents(events, [{ type: `response.${status}`, response: whole, sequence_number: events.length }])
}

/** A response with all items up to there, and each of its items with the reasoning that led to it. */
function store(id: string, body: Fields, output: readonly Fields[], memory: Memory): void {
  memory.responses.set(id, [...itemsOf(body, memory).map(({ item }) => item), ...output])
  for (const [index, item] of output.entries()) {
    const led = output[index - 1]
    memory.items.set(String(item.id), { item, ...(led?.type === 'reasoning' && { reasoning: String(led.id) }) })
  }
}

function outputOf({ content, toolCalls = [], reasoning, end }: EncodedMessage): Fields[] {
  const status = end === 'length' ? 'incomplete' : 'completed'
  const output: Fields[] = []
  if (reasoning !== undefined) {
    const summary = reasoning.hidden === true ? [] : [{ type: 'summary_text', text: reasoning.text }]
    output.push({ id: newId('rs'), type: 'reasoning', summary, encrypted_content: seal(reasoning.text) })
  }
  // A model that only calls tools writes no message.
  if (content !== null && (content !== '' || toolCalls.length === 0)) {
    const part =
      end === 'refusal'
        ? { type: 'refusal', refusal: content }
        : { type: 'output_text', text: content, annotations: [], logprobs: [] }
    output.push({ id: newId('msg'), type: 'message', status, role: 'assistant', content: [part] })
  }
  for (const { id, tool, arguments: written } of toolCalls) {
    output.push({ id: newId('fc'), type: 'function_call', status, call_id: id, name: tool, arguments: written })
  }
  return output
}

/** An item as the client sees it: encrypted reasoning only if it asks for it. */
function shownItem(item: Fields, { include }: Fields): Fields {
  if (Array.isArray(include) && include.includes('reasoning.encrypted_content')) return item
  const { encrypted_content: _, ...shown } = item
  return shown
}

type Event = Fields & { readonly type: string }

/** Where an item of a type has what it consists of. */
const PLACES: Readonly<Record<string, string>> = {
  function_call: 'arguments',
  message: 'content',
  reasoning: 'summary',
}

function itemEvents(item: Fields, index: number): Event[] {
  const at = { item_id: item.id, output_index: index }
  const place = PLACES[String(item.type)]!
  const held = item[place] as string | readonly Fields[]
  const isText = typeof held === 'string'
  const events = isText
    ? textEvents('function_call_arguments', held, at, { name: item.name, arguments: held })
    : held.flatMap((part, number) => partEvents(part, place, { ...at, [`${place}_index`]: number }))
  const begun = { ...item, ...(item.status !== undefined && { status: 'in_progress' }), [place]: isText ? '' : [] }
  return [
    { type: 'response.output_item.added', output_index: index, item: begun },
    ...events,
    { type: 'response.output_item.done', output_index: index, item },
  ]
}

function partEvents(part: Fields, place: string, at: Fields): Event[] {
  const kind = place === 'content' ? 'response.content_part' : 'response.reasoning_summary_part'
  const name = place === 'content' ? String(part.type) : 'reasoning_summary_text'
  const field = name === 'refusal' ? name : 'text'
  const text = String(part[field])
  // Only texts of answers have probabilities.
  const logprobs = name === 'output_text' ? { logprobs: [] } : {}
  return [
    { type: `${kind}.added`, ...at, part: { ...part, [field]: '' } },
    ...textEvents(name, text, { ...at, ...logprobs }, { [field]: text }),
    { type: `${kind}.done`, ...at, part },
  ]
}

/** A text in pieces, and what is said when it is whole. */
function textEvents(name: string, text: string, at: Fields, done: Fields): Event[] {
  const deltas = piecesOf(text).map((delta) => ({ type: `response.${name}.delta`, ...at, delta }))
  return [...deltas, { type: `response.${name}.done`, ...at, ...done }]
}

/** What the response repeats of the request, and the defaults of what the request leaves out. */
function headOf(body: Fields, message: EncodedMessage) {
  return {
    id: newId('resp'),
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    error: null,
    instructions: body.instructions ?? null,
    metadata: body.metadata ?? {},
    model: message.model ?? body.model,
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: body.previous_response_id ?? null,
    store: body.store ?? true,
    temperature: body.temperature ?? 1,
    tool_choice: body.tool_choice ?? 'auto',
    tools: body.tools ?? [],
    top_p: body.top_p ?? 1,
  }
}

function usageOf(body: Fields, message: EncodedMessage): Fields {
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
