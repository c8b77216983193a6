import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCharacter } from '@repertoire/test-servers/properties'
import type { Play } from '../../../src/endpoint/play.ts'
import type { ScriptStep } from '../../../src/endpoint/script.ts'
import { callStep, useEndpoint } from '../vendors.ts'
import { askResponses, assembled, hello } from './talk.ts'

const endpoint = useEndpoint()
const play = (...script: ScriptStep[]): Play => endpoint().play(script, { protocol: 'openai-responses' })
const ENCRYPTED = { include: ['reasoning.encrypted_content'] }

test('[CONF-8] answers with text as a response', async () => {
  const response = await askResponses(play({ text: 'Good day.' }), hello({ instructions: 'Be brief.', store: false }))
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(await response.json()).toMatchObject({
    id: expect.stringMatching(/^resp_[0-9a-f]{32}$/),
    object: 'response',
    created_at: expect.any(Number),
    status: 'completed',
    error: null,
    incomplete_details: null,
    instructions: 'Be brief.',
    model: 'gpt-any',
    output: [
      {
        id: expect.stringMatching(/^msg_[0-9a-f]{32}$/),
        type: 'message',
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'Good day.', annotations: [], logprobs: [] }],
      },
    ],
    previous_response_id: null,
    store: false,
    tools: [],
    usage: {
      input_tokens: expect.any(Number),
      input_tokens_details: { cached_tokens: 3 },
      output_tokens: 3,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: expect.any(Number),
    },
  })
})

test('[CONF-8] thinks, then says something, then asks for tools side by side; an empty text has no message', async () => {
  const reasoning = { text: 'I should look.' }
  const model = play(
    { ...callStep, reasoning },
    { text: '', calls: [{ tool: 'Bash', input: {} }], reasoning: { ...reasoning, hidden: true } },
    { text: '' },
  )
  const whole = (await (await askResponses(model, hello(ENCRYPTED))).json()) as any
  expect(whole.output).toMatchObject([
    { type: 'reasoning', summary: [{ type: 'summary_text', text: 'I should look.' }] },
    { type: 'message', content: [{ text: 'Let me look.' }] },
    { type: 'function_call', call_id: 'call_1_1', name: 'Bash', arguments: '{"command":"git status"}' },
    { type: 'function_call', call_id: 'mine', name: 'Read', arguments: '{"file_path":"docs/größe.md"}' },
  ])
  expect(whole.output.map(({ id }: any) => id.split('_')[0])).toEqual(['rs', 'msg', 'fc', 'fc'])
  expect(whole.output[0].encrypted_content).toMatch(/^[\w+/]+=*$/)
  expect(whole.usage.output_tokens_details.reasoning_tokens).toBe(4)
  const hidden = (await (await askResponses(model, hello())).json()) as any
  expect(hidden.output).toEqual([
    { id: expect.stringMatching(/^rs_/), type: 'reasoning', summary: [] },
    expect.objectContaining({ type: 'function_call', call_id: 'call_2_1', arguments: '{}' }),
  ])
  expect(await (await askResponses(model, hello())).json()).toMatchObject({ output: [{ content: [{ text: '' }] }] })
})

test('[CONF-8] streams each item from its beginning to its end, in pieces, and then the response', async () => {
  const response = await askResponses(
    play({ ...callStep, reasoning: { text: 'I should look.' } }),
    hello({ stream: true, ...ENCRYPTED }),
  )
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
  const { types, data, items } = await assembled(response)
  expect(types.filter((type, index) => type !== types[index - 1])).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.reasoning_summary_part.added',
    'response.reasoning_summary_text.delta',
    'response.reasoning_summary_text.done',
    'response.reasoning_summary_part.done',
    'response.output_item.done',
    'response.output_item.added',
    'response.content_part.added',
    'response.output_text.delta',
    'response.output_text.done',
    'response.content_part.done',
    'response.output_item.done',
    ...Array.from({ length: 2 }, () => [
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.output_item.done',
    ]).flat(),
    'response.completed',
  ])
  expect(types.filter((type) => type === 'response.output_text.delta').length).toBeGreaterThan(2)
  expect(items).toEqual(['I should look.', 'Let me look.', '{"command":"git status"}', '{"file_path":"docs/größe.md"}'])
  expect(data[0].response).toMatchObject({ status: 'in_progress', output: [], usage: null })
  const done = data.filter(({ type }) => type === 'response.output_item.done')
  const { response: completed } = data.at(-1)
  expect(completed).toMatchObject({ id: data[0].response.id, status: 'completed' })
  expect(completed.output).toEqual(done.map(({ item }) => item))
  for (const [index, item] of completed.output.entries()) {
    const own = data.filter((each) => each.output_index === index)
    expect(own.at(0)).toMatchObject({ type: 'response.output_item.added', item: { id: item.id, type: item.type } })
    expect(own.slice(1, -1).every(({ item_id: id }) => id === item.id)).toBe(true)
  }
})

test('[CONF-8] lets any text and any arguments survive, whole and in pieces', { timeout: 60_000 }, async () => {
  const anyText = fc.oneof(fc.string({ unit: anyCharacter }), fc.string({ unit: 'grapheme', maxLength: 300 }))
  const call = fc.record({ tool: fc.constantFrom('Bash', 'Read'), input: fc.record({ raw: anyText }) })
  await fc.assert(
    fc.asyncProperty(anyText, anyText, fc.array(call, { maxLength: 3 }), async (thought, text, calls) => {
      const step = { text, calls, reasoning: { text: thought } }
      const model = play(step, step)
      const written = [
        thought,
        ...(text === '' && calls.length > 0 ? [] : [text]),
        ...calls.map(({ input }) => input.raw),
      ]
      const { items, data } = await assembled(await askResponses(model, hello({ stream: true })))
      expect(items).toEqual(written)
      const { output } = (await (await askResponses(model, hello())).json()) as { output: any[] }
      const texts = (all: any[]) =>
        all.map((item) => item.arguments ?? (item.summary ?? item.content).map((part: any) => part.text).join(''))
      expect(texts(output)).toEqual(written)
      expect(texts(data.at(-1).response.output)).toEqual(written)
      model.close()
    }),
    { numRuns: 60 },
  )
})

test.each([
  [400, 'invalid_request_error'],
  [429, 'rate_limit_error'],
  [500, 'server_error'],
])('[CONF-8] answers with the error %i as %s', async (status, type) => {
  const model = play({ status, message: 'Not now.' })
  const response = await askResponses(model, hello())
  expect(response.status).toBe(status)
  expect(await response.json()).toEqual({ error: { message: 'Not now.', type, param: null, code: null } })
  expect(model.failures).toEqual([])
})

test.each([true, false])('[CONF-8] cuts the connection in the middle of an answer (stream: %s)', async (stream) => {
  const model = play({ drop: 'mid-stream' }, { drop: 'before-headers' })
  const response = await askResponses(model, hello({ stream }))
  let received = ''
  const read = async () => {
    for await (const bytes of response.body!) received += new TextDecoder().decode(bytes, { stream: true })
  }
  await expect(read()).rejects.toThrow('terminated')
  expect(received).toContain('resp')
  expect(received).not.toContain('response.completed')
  await expect(askResponses(model, hello({ stream }))).rejects.toThrow('fetch failed')
  expect(model.failures).toEqual([])
})
