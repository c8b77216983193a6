import { json, type RawAnswer } from '../raw-endpoint.ts'

/** A block as the API gives it; what a test leaves out is not looked at. */
export type Block = { readonly type: string } & Readonly<Record<string, unknown>>

export const usage = { input_tokens: 7, output_tokens: 3 }

/** Answers with a message of these blocks, in one piece or as the events of a stream, character by character. */
export function say(
  streamed: boolean,
  blocks: readonly Block[],
  stop_reason: string,
  more: Readonly<Record<string, unknown>> = {},
): RawAnswer {
  if (!streamed) {
    return json({
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: blocks,
      stop_reason,
      stop_sequence: null,
      usage,
      ...more,
    })
  }
  return eventStream([
    ...openingOf(),
    ...blocks.flatMap((block, index) => blockEvents(block, index)),
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null, ...more }, usage: { output_tokens: 3 } },
    { type: 'message_stop' },
  ])
}

/** How a stream begins. */
export function openingOf(): readonly Block[] {
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null }
  return [{ type: 'message_start', message: { ...message, usage: { input_tokens: 7, output_tokens: 1 } } }]
}

/** The events of one block. An input that is a text goes out as it is, valid JSON or not. */
export function blockEvents(block: Block, index: number): readonly Block[] {
  const [start, deltas] = pieces(block)
  return [
    { type: 'content_block_start', index, content_block: start },
    { type: 'ping' },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]
}

function pieces(block: Block): readonly [Block, readonly Block[]] {
  const letters = (text: unknown, wrap: (letter: string) => Block) => Array.from(String(text), wrap)
  if (block.type === 'text') {
    return [{ ...block, text: '' }, letters(block.text, (text) => ({ type: 'text_delta', text }))]
  }
  if (block.type === 'tool_use') {
    const written = typeof block.input === 'string' ? block.input : JSON.stringify(block.input)
    const deltas = letters(written, (partial_json) => ({ type: 'input_json_delta', partial_json }))
    return [{ ...block, input: {} }, [{ type: 'input_json_delta', partial_json: '' }, ...deltas]]
  }
  if (block.type === 'thinking') {
    const thoughts = letters(block.thinking, (thinking) => ({ type: 'thinking_delta', thinking }))
    const signed = { type: 'signature_delta', signature: block.signature }
    return [{ ...block, thinking: '', signature: '' }, [...thoughts, signed]]
  }
  return [block, []]
}

/** Answers with events, and how the stream ends. */
export function eventStream(events: readonly Block[], end: 'done' | 'cut' = 'done'): RawAnswer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
    response.write(text, () => (end === 'cut' ? response.destroy() : response.end()))
  }
}
