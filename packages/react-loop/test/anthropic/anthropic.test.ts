import { APIConnectionError, APIError } from '@anthropic-ai/sdk'
import { describe, expect, test } from 'vitest'
import { ask } from '../ask.ts'
import { describeClient } from '../client-contract.ts'
import { clientOf, type MakeModel, STREAMED } from '../client.ts'
import { readTwice, storedAnswer } from '../conversation.ts'
import { expectFinishReasons, expectFullAnswer } from '../expected-answer.ts'
import { json, openRawEndpoint } from '../raw-endpoint.ts'
import { anthropic, type AnthropicOptions } from '../../src/anthropic/anthropic.ts'
import type { AssistantMessage } from '../../src/model.ts'
import { blockEvents, eventStream, openingOf, say, usage } from './wire.ts'

const text = (words: string) => ({ type: 'text', text: words })
const use = (id: string, name: string, input: unknown) => ({ type: 'tool_use', id, name, input })

const model: MakeModel<AnthropicOptions> = (endpoint, options) =>
  anthropic({ model: 'm', apiKey: 'k', ...(endpoint && { baseURL: endpoint.origin }), ...options })
const { read, sent } = clientOf(model, say(false, [text('ok')], 'end_turn'))

describe('what is asked', () => {
  test('[LLM-1] words a conversation as Messages, the results of one message in one turn, with what follows them', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false }
    const request = await sent(
      {
        system: 'Be kind.',
        messages: [...readTwice('Let me see.'), { role: 'user', content: 'And now?' }],
        tools: [
          { name: 'Read', description: 'Reads.', inputSchema: schema },
          { name: 'Now', description: 'Tells.', inputSchema: {} },
        ],
        stop: ['STOP'],
      },
      {
        headers: { 'x-team': 'a', 'anthropic-beta': 'b' },
        body: { temperature: 0, model: 'other', max_tokens: 1 },
      },
    )
    expect(request).toMatchObject({
      path: '/v1/messages',
      headers: { 'x-api-key': 'k', 'anthropic-version': '2023-06-01', 'x-team': 'a', 'anthropic-beta': 'b' },
    })
    expect(request.headers.authorization).toBeUndefined()
    expect(request.body).toEqual({
      model: 'm',
      max_tokens: 16_384,
      temperature: 0,
      stream: false,
      system: 'Be kind.',
      stop_sequences: ['STOP'],
      tools: [
        { name: 'Read', description: 'Reads.', input_schema: schema },
        { name: 'Now', description: 'Tells.', input_schema: { type: 'object' } },
      ],
      messages: [
        { role: 'user', content: [text('Hello')] },
        {
          role: 'assistant',
          content: [text('Let me see.'), use('a', 'Read', { b: 1, a: [null] }), use('b', 'Read', {})],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'a', content: 'text' },
            { type: 'tool_result', tool_use_id: 'b', content: 'refused', is_error: true },
            text('And now?'),
          ],
        },
      ],
    })
  })

  test('[LLM-1] sends no blank text, no empty message and no system prompt that says nothing', async () => {
    const { body } = await sent({
      system: ' \n',
      messages: [
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: ' ' },
        { role: 'user', content: 'Are you there?' },
        { role: 'assistant', content: '', calls: [{ id: 'a', tool: 'Now', input: {} }] },
        { role: 'tool', callId: 'a', tool: 'Now', content: '', isError: true },
      ],
    })
    expect(body).not.toHaveProperty('system')
    expect(body).not.toHaveProperty('tools')
    expect(body.messages).toEqual([
      { role: 'user', content: [text('Hello'), text('Are you there?')] },
      { role: 'assistant', content: [use('a', 'Now', {})] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a' }] },
    ])
  })

  test('[LLM-1] sends ids and names that another model made as the API takes them, each its own', async () => {
    const ids = ['functions.Read:0', 'functions_Read_0', 'functions:Read.0', 'plain-1']
    const { body } = await sent({
      messages: [
        { role: 'user', content: 'Hello' },
        {
          role: 'assistant',
          content: '',
          calls: ids.map((id, n) => ({ id, tool: n === 0 ? 'Read "it" now' : 'Read', input: {} })),
        },
        ...ids.map((callId) => ({ role: 'tool', callId, tool: 'Read', content: callId, isError: false }) as const),
      ],
    })
    const [, said, results] = body.messages as { content: Record<string, string>[] }[]
    const made = said?.content.map(({ id }) => id ?? '') ?? []
    expect(new Set(made).size).toBe(4)
    expect(made.every((id) => /^[\w-]+$/.test(id))).toBe(true)
    expect([made[1], made[3]]).toEqual(['functions_Read_0', 'plain-1'])
    expect(results?.content.map((block) => [block.tool_use_id, block.content])).toEqual(
      made.map((id, n) => [id, ids[n]]),
    )
    expect(said?.content[0]?.name).toBe('Read__it__now')
  })

  test('[LLM-1] takes the tokens that an answer may have, with and without a stream', async () => {
    for (const streamed of [false, true]) {
      const endpoint = await openRawEndpoint(say(streamed, [text('ok')], 'end_turn'))
      expect((await ask(model(endpoint, { maxTokens: 128_000 }), streamed)).text).toBe('ok')
      expect(endpoint.requests[0]?.body).toMatchObject({ max_tokens: 128_000, stream: streamed })
    }
  })

  test('[LLM-1] refuses an empty key and a number of tokens that is none', () => {
    expect(() => anthropic({ model: 'm', apiKey: '' })).toThrow(TypeError)
    for (const maxTokens of [0, 1.5, Number.NaN])
      expect(() => anthropic({ model: 'm', apiKey: 'k', maxTokens })).toThrow(/maxTokens/)
  })
})

describe.each(STREAMED)('what is answered, %s', (_, streamed) => {
  test('[LLM-1] reads text, calls and usage', async () => {
    const full = say(
      streamed,
      [
        text('Lüñe '),
        text('技'),
        use('a', 'Read', { x: 1 }),
        use('b', 'List', {}),
        // Without a stream the vendor gives values; what weak models behind other servers write is a text in it.
        use('c', 'Read', '{"x": '),
        use('d', 'Read', null),
      ],
      'tool_use',
    )
    await expectFullAnswer(read(full, streamed), [
      { id: 'a', tool: 'Read', input: { x: 1 } },
      { id: 'b', tool: 'List', input: {} },
      { id: 'c', tool: 'Read', input: '{"x": ' },
      { id: 'd', tool: 'Read', input: null },
    ])
  })

  test('[LLM-1] tells why the model stopped', async () => {
    const reasons = {
      end_turn: 'stop',
      stop_sequence: 'stop',
      tool_use: 'stop',
      max_tokens: 'length',
      model_context_window_exceeded: 'length',
      refusal: 'refusal',
      pause_turn: 'other',
      constructor: 'other',
    }
    await expectFinishReasons(reasons, (reason) => read(say(streamed, [text('x')], reason), streamed))
  })

  test('[LLM-1, GATE-5] takes no call from an answer that the vendor stopped, and tells what the vendor says of it', async () => {
    const stop_details = { type: 'refusal', category: 'cyber', explanation: 'That could do harm.' }
    const stopped = await read(
      say(streamed, [use('a', 'Bash', { command: 'x' })], 'refusal', { stop_details }),
      streamed,
    )
    expect(stopped.answer).toMatchObject({ text: 'That could do harm.', calls: [], finishReason: 'refusal' })
    const silent = await read(say(streamed, [text('I would')], 'refusal', { stop_details: null }), streamed)
    expect(silent.answer).toMatchObject({ text: 'I would', calls: [], finishReason: 'refusal' })
  })

  test('[LLM-1] keeps thinking out of the text, and sends it back as it came, in its place', async () => {
    const blocks = [
      { type: 'thinking', thinking: 'Hm, 技', signature: 'c2lnbmVk' },
      text('I look.'),
      { type: 'redacted_thinking', data: 'b3BhcXVl' },
      use('a', 'Read', { x: 1 }),
      { type: 'thinking', thinking: '', signature: 'YWxzbw==' },
      use('a', 'Read', { x: 2 }),
    ]
    const { answer, text: shown } = await read(say(streamed, blocks, 'tool_use'), streamed)
    expect([shown, answer?.text]).toEqual(['I look.', 'I look.'])
    const { message, misfits, around } = storedAnswer(answer, 4)
    const back = async (said: AssistantMessage) =>
      ((await sent({ messages: around(said) })).body.messages as unknown[])[1]
    const bare = [text('I look.'), use('own_0', 'Read', { x: 1 }), use('own_1', 'Read', { x: 2 })]
    expect(await back(message)).toEqual({
      role: 'assistant',
      content: [blocks[0], bare[0], blocks[2], bare[1], blocks[4], bare[2]],
    })
    // What no longer fits the message, or is another vendor's, is left out.
    for (const other of misfits) {
      const content = [text(other.content), ...bare.slice(1, 1 + other.calls.length)]
      expect(await back(other)).toEqual({ role: 'assistant', content })
    }
  })

  test('[LLM-1] gives nothing beside text and calls where the vendor wants nothing else back', async () => {
    const { answer } = await read(say(streamed, [text('x'), use('a', 'Read', {})], 'tool_use'), streamed)
    expect(answer).not.toHaveProperty('provider')
  })

  test('[LLM-1] counts what a cache gave and took as input', async () => {
    const cached = { ...usage, cache_creation_input_tokens: 100, cache_read_input_tokens: 1000 }
    const answer = streamed
      ? eventStream([
          { type: 'message_start', message: { usage: { ...cached, output_tokens: 1 } } },
          ...blockEvents(text('x'), 0),
          {
            type: 'message_delta',
            delta: { stop_reason: 'end_turn' },
            usage: { input_tokens: null, cache_read_input_tokens: null, output_tokens: 3 },
          },
          { type: 'message_stop' },
        ])
      : say(false, [text('x')], 'end_turn', { usage: cached })
    expect((await read(answer, streamed)).answer?.usage).toEqual({ inputTokens: 1107, outputTokens: 3 })
  })
})

describe('streams', () => {
  test('[LLM-1] takes an input that comes whole with the start of its block', async () => {
    const events = [
      ...openingOf(),
      { type: 'content_block_start', index: 0, content_block: use('a', 'Read', { x: 1 }) },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 3 } },
    ]
    const { answer } = await read(eventStream(events), true)
    expect(answer?.calls).toEqual([{ id: 'a', tool: 'Read', input: { x: 1 } }])
  })

  test('[LLM-1] takes a call of a lax server, without an id and an input', async () => {
    const { answer } = await read(say(false, [{ type: 'tool_use', name: 'List' }], 'tool_use'), false)
    expect(answer?.calls).toEqual([{ id: '', tool: 'List', input: {} }])
  })
})

const hm = [...openingOf(), ...blockEvents(text('Hm'), 0)]

describeClient({
  model,
  address: 'https://api.anthropic.com/v1/messages',
  says: (streamed, words) => say(streamed, [text(words)], 'end_turn'),
  begins: (end) =>
    eventStream([...hm, ...blockEvents(use('a', 'Bash', { command: 'rm' }), 1)], end === 'cut' ? 'cut' : 'done'),
  failsMidway: (message) => eventStream([...hm, { type: 'error', error: { type: 'overloaded_error', message } }]),
  fails: (status, message) =>
    json({ type: 'error', error: { type: 'some_error', message } }, status, { 'retry-after-ms': '1' }),
  nothing: (streamed) => [streamed ? eventStream([]) : json({ type: 'message' })],
  event: hm.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
  ApiError: APIError,
  Unusable: APIConnectionError,
  aborted: /aborted/,
  secrets: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_WEBHOOK_SIGNING_KEY'],
  environment: {
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:1',
    ANTHROPIC_CUSTOM_HEADERS: 'x-gateway: SECRET\nAuthorization: SECRET',
  },
})
