import { json, type RawAnswer } from '../raw-endpoint.ts'

type Item = Readonly<Record<string, unknown>>

/** Items as the API sends them. */
export const written = (text: string, more: object = {}): Item => ({
  id: 'msg_1',
  type: 'message',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [] }],
  ...more,
})
export const call = (id: string, name: string, args: string): Item => ({
  id: `fc_${id}`,
  type: 'function_call',
  status: 'completed',
  call_id: id,
  name,
  arguments: args,
})
export const reasoning = (sealed: string | undefined, more: object = {}): Item => ({
  id: 'rs_1',
  type: 'reasoning',
  summary: [{ type: 'summary_text', text: 'Hm.' }],
  encrypted_content: sealed,
  ...more,
})

/** Of the 7 input tokens 4 are from the cache, and of the 3 output tokens 2 are reasoning. */
const usage = {
  input_tokens: 7,
  input_tokens_details: { cached_tokens: 4, cache_write_tokens: 0 },
  output_tokens: 3,
  output_tokens_details: { reasoning_tokens: 2 },
  total_tokens: 10,
}

/** A response with these items. */
export const response = (output: readonly Item[], more: object = {}): object => ({
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  error: null,
  incomplete_details: null,
  output,
  usage,
  ...more,
})

/** Answers with these events, and ends the stream or cuts the connection. */
export function eventStream(
  events: readonly (Item & { readonly type: string })[],
  end: 'over' | 'cut' = 'over',
): RawAnswer {
  return (answer) => {
    answer.writeHead(200, { 'content-type': 'text/event-stream' })
    answer.write(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''), () =>
      end === 'cut' ? answer.destroy() : answer.end(),
    )
  }
}

/** The events of an item: its beginning, its text character by character, its end. */
export function itemEvents(item: Item, index: number): (Item & { readonly type: string })[] {
  const parts = (item['type'] === 'message' ? item['content'] : []) as readonly { readonly text?: string }[]
  return [
    { type: 'response.output_item.added', output_index: index, item: { ...item, encrypted_content: 'unfinished' } },
    ...parts.flatMap(({ text = '' }) =>
      Array.from(text, (delta) => ({
        type: 'response.output_text.delta',
        output_index: index,
        content_index: 0,
        delta,
      })),
    ),
    { type: 'response.output_item.done', output_index: index, item },
  ]
}

/** Answers with these items, in one piece or as events. */
export function say(
  streamed: boolean,
  output: readonly Item[],
  more: { readonly status?: string; readonly [field: string]: unknown } = {},
): RawAnswer {
  const whole = response(output, more)
  if (!streamed) return json(whole)
  return eventStream([
    { type: 'response.created', response: response([], { status: 'in_progress', usage: null }) },
    ...output.flatMap((item, index) => itemEvents(item, index)),
    { type: `response.${more.status ?? 'completed'}`, response: whole },
  ])
}
