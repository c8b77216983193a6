import { randomUUID } from 'node:crypto'
import { inEvents, inJson, type WrittenAnswer } from '../answer.ts'
import { callInput } from '../call-input.ts'
import type { EncodedMessage } from '../dialect.ts'
import type { Fields } from '../fields.ts'
import { piecesOf } from '../pieces.ts'
import { seal } from '../seal.ts'
import { countTokens } from '../tokens.ts'

/**
 * The answer as one message, or as the events of a stream. Anthropic API reference, "Messages", "Streaming messages".
 */
export function writeAnswer(body: Fields, message: EncodedMessage): WrittenAnswer {
  const { prompt, cached, answer } = countTokens(body, message)
  const { toolCalls = [], end, model = body.model } = message
  const ended = end === 'length' ? 'max_tokens' : end === 'refusal' ? 'refusal' : undefined
  const usage = { input_tokens: prompt - cached, cache_creation_input_tokens: 0, cache_read_input_tokens: cached }
  const reason = {
    stop_reason: ended ?? (toolCalls.length > 0 ? 'tool_use' : 'end_turn'),
    stop_sequence: null,
    stop_details: end === 'refusal' ? { type: 'refusal', category: null, explanation: null } : null,
  }
  const head = {
    id: `msg_${randomUUID().replaceAll('-', '')}`,
    type: 'message',
    role: 'assistant',
    model,
    container: null,
  }
  const blocks = blocksOf(message)
  if (body.stream !== true) {
    const content = blocks.map(({ whole }) => whole)
    return inJson({ ...head, ...reason, content, usage: { ...usage, output_tokens: answer } })
  }
  const begun = { ...head, content: [], stop_reason: null, stop_sequence: null, stop_details: null }
  return inEvents(
    [
      { type: 'message_start', message: { ...begun, usage: { ...usage, output_tokens: 1 } } },
      ...blocks.flatMap(({ whole, empty, deltas }, index) => [
        { type: 'content_block_start', index, content_block: { ...whole, ...empty } },
        ...(index === 0 ? [{ type: 'ping' }] : []),
        ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
        { type: 'content_block_stop', index },
      ]),
    ],
    [{ type: 'message_delta', delta: reason, usage: { output_tokens: answer } }, { type: 'message_stop' }],
  )
}

interface Block {
  readonly whole: Fields
  /** What differs when the block begins. */
  readonly empty?: Fields
  readonly deltas: readonly Fields[]
}

/** The blocks of a message. None is empty: an empty text has no block. */
function blocksOf({ content, toolCalls = [], reasoning }: EncodedMessage): Block[] {
  const blocks: Block[] = []
  if (reasoning?.hidden === true) {
    blocks.push({ whole: { type: 'redacted_thinking', data: seal(reasoning.text) }, deltas: [] })
  } else if (reasoning !== undefined) {
    const signature = seal(reasoning.text)
    const thoughts = piecesOf(reasoning.text).map((piece) => ({ type: 'thinking_delta', thinking: piece }))
    blocks.push({
      whole: { type: 'thinking', thinking: reasoning.text, signature },
      empty: { thinking: '', signature: '' },
      deltas: [...thoughts, { type: 'signature_delta', signature }],
    })
  }
  if (content !== null && content !== '') {
    const deltas = piecesOf(content).map((piece) => ({ type: 'text_delta', text: piece }))
    blocks.push({ whole: { type: 'text', text: content }, empty: { text: '' }, deltas })
  }
  for (const { id, tool, arguments: written } of toolCalls) {
    // The caller is the model itself, and not code that it runs.
    const whole = { type: 'tool_use', id, name: tool, input: callInput(written), caller: { type: 'direct' } }
    const deltas = ['', ...piecesOf(written)].map((piece) => ({ type: 'input_json_delta', partial_json: piece }))
    blocks.push({ whole, empty: { input: {} }, deltas })
  }
  return blocks
}
