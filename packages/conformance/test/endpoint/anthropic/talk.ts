import { expect } from 'vitest'
import { readEventStream } from '../vendors.ts'

/** A body with one message of the user's, and whatever else is given. */
export function hello(more: object = {}) {
  return { model: 'claude-any', max_tokens: 100, messages: [{ role: 'user', content: 'Hello.' }], ...more }
}

/** Puts a stream together as clients do. */
export async function assembled(response: Response) {
  const events = await readEventStream(response)
  const data = events.map((event) => JSON.parse(event.data!))
  expect(events.map((event) => event.event)).toEqual(data.map(({ type }) => type))
  const blocks: any[] = []
  for (const each of data) {
    if (each.type === 'content_block_start') blocks[each.index] = { ...each.content_block, json: '' }
    if (each.type === 'content_block_delta') {
      const block = blocks[each.index]
      if (each.delta.type === 'text_delta') block.text += each.delta.text
      else block.json += each.delta.partial_json
    }
  }
  return { types: data.map(({ type }) => type as string), data, blocks }
}
