import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCharacter } from '@repertoire/test-servers/properties'
import { askAnthropic, callStep, carried, useEndpoint } from '../vendors.ts'
import { assembled, hello } from './talk.ts'
import type { Play } from '../../../src/endpoint/play.ts'
import type { ScriptStep } from '../../../src/endpoint/script.ts'

const endpoint = useEndpoint()
const play = (...script: ScriptStep[]): Play => endpoint().play(script, { protocol: 'anthropic' })

test('[LLM-1] answers with text as a message', async () => {
  const response = await askAnthropic(play({ text: 'Good day.' }), hello())
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(await response.json()).toEqual({
    id: expect.stringMatching(/^msg_[0-9a-f]{32}$/),
    type: 'message',
    role: 'assistant',
    model: 'claude-any',
    container: null,
    stop_details: null,
    content: [{ type: 'text', text: 'Good day.' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: expect.any(Number),
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 3,
      output_tokens: 3,
    },
  })
})

test('[LLM-1] asks for tools side by side, and leaves an empty text out', async () => {
  const model = play(callStep, { text: '', calls: [{ tool: 'Bash', input: {} }] }, { text: '' })
  expect(await (await askAnthropic(model, hello())).json()).toMatchObject({
    content: [
      { type: 'text', text: 'Let me look.' },
      { type: 'tool_use', id: 'call_1_1', name: 'Bash', input: { command: 'git status' } },
      { type: 'tool_use', id: 'mine', name: 'Read', input: { file_path: 'docs/größe.md' } },
    ],
    stop_reason: 'tool_use',
  })
  expect(await (await askAnthropic(model, hello())).json()).toMatchObject({
    content: [{ type: 'tool_use', id: 'call_2_1', name: 'Bash', input: {} }],
  })
  expect(await (await askAnthropic(model, hello())).json()).toMatchObject({ content: [], stop_reason: 'end_turn' })
})

test('[LLM-1] streams a start, blocks in pieces, the reason of the end and the end', async () => {
  const response = await askAnthropic(play(callStep), hello({ stream: true }))
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
  const { types, data, blocks } = await assembled(response)
  expect(types.slice(0, 3)).toEqual(['message_start', 'content_block_start', 'ping'])
  expect(types.slice(-2)).toEqual(['message_delta', 'message_stop'])
  expect(types.filter((type) => type === 'ping')).toHaveLength(1)
  expect(data[0].message).toMatchObject({ content: [], stop_reason: null, usage: { output_tokens: 1 } })
  expect(data.at(-2)).toEqual({
    type: 'message_delta',
    delta: { stop_reason: 'tool_use', stop_sequence: null },
    usage: { output_tokens: expect.any(Number) },
  })
  const caller = { type: 'direct' }
  for (const index of blocks.keys()) {
    const own = data.filter((each) => each.index === index)
    expect(own.at(0).type).toBe('content_block_start')
    expect(own.at(-1).type).toBe('content_block_stop')
    expect(own.length).toBeGreaterThan(4)
  }
  expect(blocks).toEqual([
    { type: 'text', text: 'Let me look.', json: '' },
    { type: 'tool_use', id: 'call_1_1', name: 'Bash', input: {}, caller, json: '{"command":"git status"}' },
    { type: 'tool_use', id: 'mine', name: 'Read', input: {}, caller, json: '{"file_path":"docs/größe.md"}' },
  ])
})

test('[LLM-1] lets any text and any arguments survive, whole and in pieces', { timeout: 60_000 }, async () => {
  const anyText = fc.oneof(fc.string({ unit: anyCharacter }), fc.string({ unit: 'grapheme', maxLength: 300 }))
  const raw = fc.oneof(anyText, fc.json())
  const call = fc.record({ tool: fc.constantFrom('Bash', 'Read'), input: fc.record({ raw }) })
  await fc.assert(
    fc.asyncProperty(anyText, fc.array(call, { maxLength: 3 }), async (text, calls) => {
      const model = play({ text, calls }, { text, calls })
      const said = text === '' ? [] : [text]
      const { blocks } = await assembled(await askAnthropic(model, hello({ stream: true })))
      expect(blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []))).toEqual(said)
      expect(blocks.flatMap((block) => (block.type === 'tool_use' ? [block.json] : []))).toEqual(
        calls.map(({ input }) => input.raw),
      )
      const { content } = (await (await askAnthropic(model, hello())).json()) as { content: any[] }
      expect(content.flatMap((block) => (block.type === 'text' ? [block.text] : []))).toEqual(said)
      expect(content.flatMap((block) => (block.type === 'tool_use' ? [[block.id, block.input]] : []))).toEqual(
        calls.map(({ input }, n) => [`call_2_${n + 1}`, carried(input.raw)]),
      )
      model.close()
    }),
    { numRuns: 60 },
  )
})

test.each([
  [400, 'invalid_request_error'],
  [404, 'not_found_error'],
  [409, 'invalid_request_error'],
  [429, 'rate_limit_error'],
  [500, 'api_error'],
  [529, 'overloaded_error'],
])('[LLM-1] answers with the error %i as %s', async (status, type) => {
  const model = play({ status, message: 'Not now.' })
  const response = await askAnthropic(model, hello())
  expect(response.status).toBe(status)
  const body = (await response.json()) as { request_id: string }
  expect(body).toEqual({
    type: 'error',
    error: { type, message: 'Not now.' },
    request_id: expect.stringMatching(/^req_/),
  })
  expect(response.headers.get('request-id')).toBe(body.request_id)
  expect(model.failures).toEqual([])
})

test.each([true, false])('[LLM-1] cuts the connection in the middle of an answer (stream: %s)', async (stream) => {
  const model = play({ drop: 'mid-stream' }, { drop: 'before-headers' })
  const response = await askAnthropic(model, hello({ stream }))
  let received = ''
  const read = async () => {
    for await (const bytes of response.body!) received += new TextDecoder().decode(bytes, { stream: true })
  }
  await expect(read()).rejects.toThrow('terminated')
  expect(received).toContain('message')
  expect(received).not.toContain('message_stop')
  await expect(askAnthropic(model, hello({ stream }))).rejects.toThrow('fetch failed')
  expect(model.failures).toEqual([])
})
