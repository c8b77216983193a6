import { expect } from 'vitest'
import type { Play } from '../../../src/endpoint/play.ts'
import { ask, readEventStream } from '../vendors.ts'

/** A body with one message of the user's, and whatever else is given. */
export function hello(more: object = {}) {
  return { model: 'gpt-any', input: 'Hello.', ...more }
}

/** Asks with the play's key. */
export function askResponses(play: Play, body: unknown) {
  return ask(play, '/responses', body, { authorization: `Bearer ${play.apiKey}` })
}

/** Reads a stream by hand: its events, and the items put together from their pieces. */
export async function assembled(response: Response) {
  const events = await readEventStream(response)
  const data = events.map((event) => JSON.parse(event.data!))
  expect(events.map((event) => event.event)).toEqual(data.map(({ type }) => type))
  expect(data.map(({ sequence_number: number }) => number)).toEqual([...data.keys()])
  const items: string[] = []
  for (const { type, output_index: index, delta } of data) {
    if (type === 'response.output_item.added') items[index] = ''
    if (type.endsWith('.delta')) items[index] += delta
  }
  return { types: data.map(({ type }) => type as string), data, items }
}
