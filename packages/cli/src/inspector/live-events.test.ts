import { PassThrough } from 'node:stream'
import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { openLiveEvents } from './live-events.ts'

// Beside its source: the room of the command is 256 million characters.

it('[SEE-1] tells pages of events that did not arrive, and once that there is no more room', () => {
  const live = openLiveEvents(60)
  expect([live.add('{"a":1}', 0), live.add('{"a":2}', 3), live.add('{"a":3}', 0), live.add('{"a":4}', 1)]).toEqual([
    true,
    true,
    false,
    false,
  ])
  const page = Object.assign(new PassThrough({ encoding: 'utf8' }), { writeHead: () => undefined })
  live.send(page as unknown as ServerResponse, 0)
  const text = String(page.read())
  expect([...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!) as unknown)).toEqual([
    { a: 1 },
    { leftOut: { kind: 'missed', count: 3, line: 0 } },
    { a: 2 },
    { leftOut: { kind: 'full', count: 1, line: 0 } },
  ])
})
