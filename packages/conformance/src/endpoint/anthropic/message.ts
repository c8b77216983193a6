import { randomUUID } from 'node:crypto'
import { callInput } from '../call-input.ts'
import type { EncodedMessage } from '../dialect.ts'
import type { Fields } from '../fields.ts'
import { piecesOf } from '../pieces.ts'
import type { WrittenAnswer } from '../protocol.ts'
import { seal } from '../seal.ts'
import { countTokens } from '../tokens.ts'

/** Whom a call comes from: the model itself, and not code that it runs. */
const CALLER = { type: 'direct' }

/**
 * The answer as one message, or as the events of a stream. Anthropic API reference, "Messages", "Streaming messages".
 */
export function writeAnswer(body: Fields, message: EncodedMessage): WrittenAnswer {
  const { prompt, cached, answer } = countTokens(body, message)
  const { content, toolCalls = [], reasoning } = message
  const thoughts = reasoning === undefined ? [] : [reasoning]
  const reason = toolCalls.length > 0 ? 'tool_use' : 'end_turn'
  const head = {
    id: `msg_${randomUUID().replaceAll('-', '')}`,
    type: 'message',
    role: 'assistant',
    model: String(body.model),
    container: null,
    stop_details: null,
  }
  const usage = (output: number): object => ({
    input_tokens: prompt - cached,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    output_tokens: output,
  })
  // A block is never empty: an empty text has no block.
  const texts = content === null || content === '' ? [] : [content]
  if (body.stream !== true) {
    const blocks = [
      ...thoughts.map(({ text, hidden = false }) =>
        hidden
          ? { type: 'redacted_thinking', data: seal(text) }
          : { type: 'thinking', thinking: text, signature: seal(text) },
      ),
      ...texts.map((text) => ({ type: 'text', text })),
      ...toolCalls.map(({ id, tool, arguments: text }) => ({
        type: 'tool_use',
        id,
        name: tool,
        input: callInput(text),
        caller: CALLER,
      })),
    ]
    const whole = { ...head, content: blocks, stop_reason: reason, stop_sequence: null, usage: usage(answer) }
    return { contentType: 'application/json', parts: [JSON.stringify(whole)] }
  }
  const blocks = [
    ...thoughts.map(({ text, hidden = false }) =>
      hidden
        ? { start: { type: 'redacted_thinking', data: seal(text) }, deltas: [] }
        : {
            start: { type: 'thinking', thinking: '', signature: '' },
            deltas: [
              ...piecesOf(text).map((piece) => ({ type: 'thinking_delta', thinking: piece })),
              { type: 'signature_delta', signature: seal(text) },
            ],
          },
    ),
    ...texts.map((text) => ({
      start: { type: 'text', text: '' },
      deltas: piecesOf(text).map((piece) => ({ type: 'text_delta', text: piece })),
    })),
    ...toolCalls.map(({ id, tool, arguments: text }) => ({
      start: { type: 'tool_use', id, name: tool, input: {}, caller: CALLER },
      deltas: ['', ...piecesOf(text)].map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
    })),
  ]
  const events = [
    {
      type: 'message_start',
      message: { ...head, content: [], stop_reason: null, stop_sequence: null, usage: usage(1) },
    },
    ...blocks.flatMap(({ start, deltas }, index) => [
      { type: 'content_block_start', index, content_block: start },
      ...(index === 0 ? [{ type: 'ping' }] : []),
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: answer } },
    { type: 'message_stop' },
  ]
  return {
    contentType: 'text/event-stream; charset=utf-8',
    parts: events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
  }
}
