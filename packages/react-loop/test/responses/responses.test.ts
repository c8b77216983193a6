import * as fc from 'fast-check'
import { APIConnectionError, APIError } from 'openai'
import { describe, expect, test } from 'vitest'
import { ask } from '../ask.ts'
import { describeClient } from '../client-contract.ts'
import { clientOf, type MakeModel, STREAMED } from '../client.ts'
import { readTwice, storedAnswer } from '../conversation.ts'
import { expectFinishReasons, expectFullAnswer } from '../expected-answer.ts'
import { json, openRawEndpoint } from '../raw-endpoint.ts'
import type { Message } from '../../src/model.ts'
import { openAIResponses, type OpenAIResponsesOptions } from '../../src/responses/responses.ts'
import { call, eventStream, itemEvents, reasoning, response, say, written } from './wire.ts'

const model: MakeModel<OpenAIResponsesOptions> = (endpoint, options) =>
  openAIResponses({ model: 'm', ...(endpoint && { baseURL: endpoint.baseURL }), ...options })
const { read, sent } = clientOf(model, say(false, [written('ok')]))
const inputOf = async (messages: readonly Message[], options?: Partial<OpenAIResponsesOptions>) =>
  (await sent({ messages }, options)).body['input'] as readonly Record<string, unknown>[]

describe('the request', () => {
  test('[CONF-8] is stateless, and holds the conversation as items', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } }
    const request = await sent(
      {
        system: 'Be kind.',
        messages: [...readTwice('Let me see.'), { role: 'user', content: 'And now?' }],
        tools: [{ name: 'Read', description: 'Reads.', inputSchema: schema }],
        stop: ['STOP'],
      },
      { apiKey: 'k', headers: { 'x-team': 'a' }, body: { temperature: 0, model: 'other', store: true } },
    )
    expect(request).toMatchObject({ path: '/v1/responses', headers: { authorization: 'Bearer k', 'x-team': 'a' } })
    const sentCall = (id: string, args: string) => ({
      type: 'function_call',
      call_id: id,
      name: 'Read',
      arguments: args,
    })
    expect(request.body).toEqual({
      model: 'm',
      temperature: 0,
      stream: false,
      store: false,
      include: ['reasoning.encrypted_content'],
      instructions: 'Be kind.',
      tools: [{ type: 'function', name: 'Read', description: 'Reads.', parameters: schema, strict: false }],
      input: [
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: 'Let me see.' },
        sentCall('a', '{"b":1,"a":[null]}'),
        sentCall('b', '{}'),
        { type: 'function_call_output', call_id: 'a', output: 'text' },
        { type: 'function_call_output', call_id: 'b', output: 'refused' },
        { role: 'user', content: 'And now?' },
      ],
    })
  })

  test('[CONF-8] has no authorization without a key, no blank instructions, and the `include` of the caller', async () => {
    const { headers, body } = await sent({ system: '' }, { body: { include: [] } })
    expect(headers.authorization).toBeUndefined()
    expect(body).toEqual({
      model: 'm',
      stream: false,
      store: false,
      include: [],
      input: [{ role: 'user', content: 'Hello' }],
    })
  })

  test.each(['previous_response_id', 'conversation', 'background'])(
    '[CONF-8, CFG-1] refuses `%s` in `body` when the model is made',
    (name) => {
      const make = () => model(undefined, { body: { [name]: 'x' } })
      expect(make).toThrow(TypeError)
      expect(make).toThrow(`\`body\` has \`${name}\``)
    },
  )

  test('[CONF-8] gives every call an id and a name that the API accepts, and each result the id of its call', async () => {
    const id = fc.oneof(fc.string({ minLength: 1, unit: 'binary' }), fc.string({ minLength: 60, maxLength: 90 }))
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(id, { minLength: 1, maxLength: 5 }), fc.string(), async (ids, tool) => {
        const calls = ids.map((each) => ({ id: each, tool, input: {} }))
        const results = ids.map(
          (callId) => ({ role: 'tool', callId, tool, content: callId, isError: false }) satisfies Message,
        )
        const items = await inputOf([
          { role: 'user', content: 'Go' },
          { role: 'assistant', content: '', calls },
          ...results,
        ])
        const made = items.flatMap((item) => (item['type'] === 'function_call' ? [item] : []))
        const wireIds = made.map((item) => String(item['call_id']))
        expect(new Set(wireIds).size).toBe(ids.length)
        for (const wireId of wireIds) expect(wireId).toMatch(/^[\w-]{1,64}$/)
        for (const { name } of made) expect(name).toMatch(/^[\w-]{1,128}$/)
        expect(items.slice(-ids.length)).toEqual(
          wireIds.map((wireId, n) => ({ type: 'function_call_output', call_id: wireId, output: ids[n] })),
        )
      }),
      { numRuns: 10 },
    )
  })
})

describe.each(STREAMED)('the answer, %s', (_, streamed) => {
  test('[CONF-8] is read as text, calls and usage, cached and reasoning tokens included', async () => {
    const items = [
      written('Lüñe 技'),
      call('a', 'Read', '{"x": 1}'),
      call('b', 'List', ''),
      call('c', 'Read', '{"x": '),
    ]
    const answered = read(say(streamed, items), streamed)
    const withoutItems = answered.then(({ answer, text }) => {
      const { provider: __, ...rest } = answer!
      return { answer: rest, text }
    })
    await expectFullAnswer(withoutItems, [
      { id: 'a', tool: 'Read', input: { x: 1 } },
      { id: 'b', tool: 'List', input: {} },
      { id: 'c', tool: 'Read', input: '{"x": ' },
    ])
  })

  test('[CONF-8] comes back unchanged: encrypted reasoning, ids, phases and items of other tools, in their order', async () => {
    const items = [
      reasoning('c2VhbGVk'),
      written('I look.', { phase: 'commentary' }),
      reasoning('bW9yZQ==', { id: 'rs_2', summary: [] }),
      { id: 'ws_1', type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'x' } },
      { id: 'ig_1', type: 'image_generation_call', status: 'completed', result: 'aW1hZ2U=' },
      call('a', 'Read', '{"x":1}'),
      call('a', 'Read', '{"x":2}'),
    ]
    const { answer } = await read(say(streamed, items), streamed)
    const { message, misfits, around } = storedAnswer(answer, 2)
    const own = items.map((item) => ({ ...item }))
    Object.assign(own[5]!, { call_id: 'own_0' })
    Object.assign(own[6]!, { call_id: 'own_1' })
    expect((await inputOf(around(message))).slice(1, -2)).toEqual(own)
    for (const misfit of misfits) {
      const back = await inputOf(around(misfit))
      expect(JSON.stringify(back)).not.toContain('encrypted_content')
      expect(back[1]).toEqual({ role: 'assistant', content: misfit.content })
    }
    expect(JSON.stringify(await inputOf(around(message), { model: 'other' }))).not.toContain('encrypted_content')
  })

  test('[CONF-8] keeps no reasoning that the API would not find, or that nothing follows', async () => {
    const plain = reasoning(undefined, { id: 'rs_2', content: [{ type: 'reasoning_text', text: 'Open.' }] })
    const items = [reasoning(undefined), plain, written('So.'), reasoning('c2VhbGVk', { id: 'rs_3' })]
    const { answer } = await read(say(streamed, items), streamed)
    expect(answer?.provider?.content).toEqual([plain, written('So.')])
  })

  test('[CONF-8, GATE-5] names the reason of an incomplete answer, and takes no call from it', async () => {
    const reasons = {
      max_output_tokens: 'length',
      content_filter: 'content-filter',
      steered: 'other',
      constructor: 'other',
    }
    const cut = (reason: string) => ({ status: 'incomplete', incomplete_details: { reason } })
    const items = [written('x'), call('a', 'Bash', '{"command":"rm"}')]
    await expectFinishReasons(reasons, (reason) => read(say(streamed, items, cut(reason)), streamed))
    for (const reason of Object.keys(reasons))
      expect((await read(say(streamed, items, cut(reason)), streamed)).answer?.calls).toEqual([])
  })

  test('[CONF-8] reports a refusal with its text', async () => {
    const refused = written('', { content: [{ type: 'refusal', refusal: 'I would rather not.' }] })
    const { answer } = await read(say(streamed, [refused]), streamed)
    expect(answer).toMatchObject({ text: 'I would rather not.', calls: [], finishReason: 'refusal' })
    expect(answer).not.toHaveProperty('provider')
  })

  test('[CONF-8, LLM-1] throws the error of a response that failed', async () => {
    const error = { code: 'server_error', message: 'The model fell over.' }
    const failing = read(say(streamed, [], { status: 'failed', error }), streamed)
    await expect(failing).rejects.toBeInstanceOf(APIError)
    await expect(failing).rejects.toMatchObject({ code: 'server_error', message: 'The model fell over.' })
  })
})

test('[CONF-8] reads a stream whose items come only at its end', async () => {
  const items = [reasoning('c2VhbGVk'), call('a', 'Read', '{}')]
  const { answer } = await read(eventStream([{ type: 'response.completed', response: response(items) }]), true)
  expect(answer).toMatchObject({ calls: [{ id: 'a', tool: 'Read', input: {} }], provider: { content: items } })
})

test('[CONF-8] throws an error event that has no event name', async () => {
  const endpoint = await openRawEndpoint((answer) => {
    answer.writeHead(200, { 'content-type': 'text/event-stream' })
    answer.end(`data: ${JSON.stringify({ type: 'error', code: 'oom', message: 'Out of memory.', param: null })}\n\n`)
  })
  const failing = ask(model(endpoint, { maxRetries: 0 }), true)
  await expect(failing).rejects.toBeInstanceOf(APIError)
  await expect(failing).rejects.toThrow('Out of memory.')
})

const begun = [written('Hm'), call('a', 'Bash', '{"command":"rm"}')].flatMap((item, index) => itemEvents(item, index))

describeClient({
  model,
  address: 'https://api.openai.com/v1/responses',
  says: (streamed, text) => say(streamed, [written(text)]),
  begins: (end) => eventStream(begun, end),
  failsMidway: (told) =>
    eventStream([...begun.slice(0, 2), { type: 'error', code: 'oom', message: told, param: null }]),
  fails: (status, told) => json({ error: { message: told } }, status, { 'retry-after-ms': '1' }),
  nothing: (streamed) =>
    streamed
      ? [eventStream([]), eventStream([{ type: 'response.completed', response: { object: 'response' } }])]
      : [
          json({ object: 'response' }),
          json({ object: 'error', message: 'busy' }),
          json(response([], { status: 'queued' })),
        ],
  event: `event: response.output_text.delta\ndata: ${JSON.stringify({ type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'Hm' })}\n\n`,
  ApiError: APIError,
  Unusable: APIConnectionError,
  aborted: /aborted/,
  secrets: ['OPENAI_API_KEY', 'OPENAI_ADMIN_KEY', 'OPENAI_ORG_ID', 'OPENAI_PROJECT_ID'],
  environment: { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', OPENAI_CUSTOM_HEADERS: 'x-gateway: SECRET' },
})
