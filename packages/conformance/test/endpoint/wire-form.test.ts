import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ModelEndpoint, openModelEndpoint } from '../../src/endpoint/endpoint.ts'
import type { WireRequest } from '../../src/endpoint/wire.ts'
import { hello, post, readJson } from '../chat.ts'

let endpoint: ModelEndpoint
beforeAll(async () => {
  endpoint = await openModelEndpoint()
})
afterAll(() => endpoint.close())

const form = {
  toWire: (name: string) => `mcp__host__${name}`,
  fromWire: (sent: string) => sent.replace(/^mcp__host__/, ''),
}

test('[CONF-2] calls tools under the names that the framework sends, and shows checks the names that they know', async () => {
  const play = endpoint.play([{ calls: [{ tool: 'Read', input: { file_path: 'a.md' } }] }, { text: 'Done.' }], { form })
  const tools = [
    { type: 'function', function: { name: 'mcp__host__Read', description: 'Reads.', parameters: { type: 'object' } } },
  ]
  const { toolCalls } = await readJson(await post(play, hello({ tools })))
  expect(toolCalls).toMatchObject([{ name: 'mcp__host__Read' }])
  const [call] = toolCalls
  const messages = [
    { role: 'user', content: 'Hello' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: call!.id, type: 'function', function: { name: call!.name, arguments: call!.arguments } }],
    },
    { role: 'tool', tool_call_id: call!.id, content: 'Text of a.md' },
  ]
  await readJson(await post(play, hello({ tools, messages })))
  expect(play.requests.map((request) => request.tools.map(({ name }) => name))).toEqual([['Read'], ['Read']])
  expect(play.requests[1]?.messages[1]?.calls).toMatchObject([{ tool: 'Read' }])
  expect(play.answers[0]?.toolCalls).toMatchObject([{ tool: 'Read' }])
  expect(play.failures).toEqual([])
})

test('[CONF-2] shows checks a request without what the framework adds', async () => {
  const read = (sent: WireRequest): WireRequest => ({ ...sent, system: sent.system.replace('Frame. ', '') })
  const play = endpoint.play([{ text: 'Good day.' }], { form: { read } })
  await readJson(
    await post(
      play,
      hello({
        messages: [
          { role: 'system', content: 'Frame. Be brief.' },
          { role: 'user', content: 'Hello' },
        ],
      }),
    ),
  )
  expect(play.requests[0]?.system).toBe('Be brief.')
  expect(JSON.stringify(play.requests[0]?.raw)).toContain('Frame. Be brief.')
})
