import { PassThrough } from 'node:stream'
import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { openLiveEvents } from './live-events.ts'

// Beside its source: the room of the command is 256 million characters.

it('[SEE-1] tells pages once that there is no more room', () => {
  const live = openLiveEvents(15)
  expect(['{"a":1}', '{"a":2}', '{"a":3}', '{"a":4}'].map((line) => live.add(line))).toEqual([true, true, false, false])
  const page = Object.assign(new PassThrough({ encoding: 'utf8' }), { writeHead: () => undefined })
  live.send(page as unknown as ServerResponse, 0)
  const text = String(page.read())
  expect([...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!) as unknown)).toEqual([
    { a: 1 },
    { a: 2 },
    { leftOut: { kind: 'full', count: 1, line: 0 } },
  ])
})
