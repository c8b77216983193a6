import { APIConnectionError, APIError } from 'openai'
import { describe, expect, test } from 'vitest'
import { ask, hello } from '../ask.ts'
import { describeClient } from '../client-contract.ts'
import { delta, events, json, message, openRawEndpoint, type RawAnswer } from '../raw-endpoint.ts'
import { openAICompatible } from '../../src/openai/openai.ts'

/** What one answer of the endpoint is read as. */
async function read(answer: RawAnswer, streamed: boolean) {
  const { baseURL } = await openRawEndpoint(answer)
  return ask(openAICompatible({ baseURL, model: 'm', maxRetries: 0 }), streamed)
}

const call = (id: string, name: string, args: string) => ({ id, type: 'function', function: { name, arguments: args } })

describe('what is asked', () => {
  test('[ADPT-3] words a conversation as chat completions', async () => {
    const endpoint = await openRawEndpoint(message({ content: 'ok' }))
    const model = openAICompatible({
      baseURL: endpoint.baseURL,
      model: 'm',
      apiKey: 'k',
      headers: { 'x-team': 'a' },
      body: { temperature: 0, model: 'other' },
    })
    await model.complete(
      {
        system: 'Be kind.',
        messages: [
          { role: 'user', content: 'Hello' },
          {
            role: 'assistant',
            content: '',
            calls: [
              { id: 'a', tool: 'Read', input: { b: 1, a: [null] } },
              { id: 'b', tool: 'Read', input: '{"broken": ' },
            ],
          },
          { role: 'tool', callId: 'a', tool: 'Read', content: 'text', isError: false },
          { role: 'tool', callId: 'b', tool: 'Read', content: 'refused', isError: true },
          { role: 'assistant', content: 'So.' },
        ],
        tools: [{ name: 'Read', description: 'Reads.', inputSchema: { type: 'object', properties: {} } }],
        stop: ['STOP'],
      },
      {},
    )
    expect(endpoint.requests).toHaveLength(1)
    expect(endpoint.requests[0]).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer k', 'x-team': 'a' },
    })
    expect(endpoint.requests[0]?.body).toEqual({
      model: 'm',
      temperature: 0,
      stream: false,
      stop: ['STOP'],
      tools: [
        {
          type: 'function',
          function: { name: 'Read', description: 'Reads.', parameters: { type: 'object', properties: {} } },
        },
      ],
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Hello' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [call('a', 'Read', '{"b":1,"a":[null]}'), call('b', 'Read', '{}')],
        },
        { role: 'tool', tool_call_id: 'a', content: 'text' },
        { role: 'tool', tool_call_id: 'b', content: 'refused' },
        { role: 'assistant', content: 'So.' },
      ],
    })
  })

  test('[ADPT-3] has no authorization where there is no key', async () => {
    const endpoint = await openRawEndpoint(message({ content: 'ok' }))
    await openAICompatible({ baseURL: endpoint.baseURL, model: 'm' }).complete(hello, {})
    expect(endpoint.requests[0]?.headers.authorization).toBeUndefined()
  })
})

describe.each([
  ['not streamed', false],
  ['streamed', true],
] as const)('what is answered, %s', (_, streamed) => {
  /** The same message, in one piece or as chunks. */
  const say = (
    content: string | null,
    calls: readonly ReturnType<typeof call>[],
    finish: string,
    more: object = {},
  ): RawAnswer => {
    if (!streamed)
      return message({ content, ...(calls.length > 0 && { tool_calls: calls }), ...more }, finish, {
        prompt_tokens: 7,
        completion_tokens: 3,
        total_tokens: 10,
      })
    const pieces = calls.flatMap(({ id, type, function: { name, arguments: args } }, index) => [
      delta({ tool_calls: [{ index, id, type, function: { name, arguments: '' } }] }),
      ...Array.from(args, (character) => delta({ tool_calls: [{ index, function: { arguments: character } }] })),
    ])
    const usage = {
      ...(delta({}) as object),
      choices: [],
      usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
    }
    return events([
      delta({ role: 'assistant', content: null }),
      ...Array.from(content ?? '', (character) => delta({ content: character })),
      delta(more),
      ...pieces,
      delta({}, finish),
      usage,
    ])
  }

  test('[ADPT-3] reads text, calls and usage', async () => {
    const { answer, text } = await read(
      say('Lüñe 技', [call('a', 'Read', '{"x": 1}'), call('b', 'List', ''), call('c', 'Read', '{"x": ')], 'tool_calls'),
      streamed,
    )
    expect(text).toBe('Lüñe 技')
    expect(answer).toEqual({
      text: 'Lüñe 技',
      calls: [
        { id: 'a', tool: 'Read', input: { x: 1 } },
        { id: 'b', tool: 'List', input: {} },
        { id: 'c', tool: 'Read', input: '{"x": ' },
      ],
      finishReason: 'stop',
      usage: { inputTokens: 7, outputTokens: 3 },
    })
  })

  test('[ADPT-3] tells why the model stopped', async () => {
    const reasons: Record<string, string> = {
      stop: 'stop',
      tool_calls: 'stop',
      length: 'length',
      content_filter: 'content-filter',
      eos: 'other',
      constructor: 'other',
    }
    for (const [said, meant] of Object.entries(reasons)) {
      expect((await read(say('x', [], said), streamed)).answer?.finishReason).toBe(meant)
    }
    const { answer } = await read(say(null, [], 'stop', { refusal: 'I would rather not.' }), streamed)
    expect(answer).toMatchObject({ text: 'I would rather not.', finishReason: 'refusal' })
  })
})

describe('streams of many servers', () => {
  test('[ADPT-3] keeps calls apart that share an index, or have none', async () => {
    const whole = (index: number | undefined, id: string, name: string, args: string) => ({
      ...(index !== undefined && { index }),
      id,
      function: { name, arguments: args },
    })
    for (const index of [0, undefined]) {
      const chunks = [
        delta({
          tool_calls: [
            whole(index, 'a', 'Read', '{"n":'),
            { ...(index !== undefined && { index }), function: { arguments: '1}' } },
            whole(index, 'b', 'Read', '{"n":2}'),
          ],
        }),
        delta({}, 'stop'),
      ]
      expect((await read(events(chunks), true)).answer?.calls).toEqual([
        { id: 'a', tool: 'Read', input: { n: 1 } },
        { id: 'b', tool: 'Read', input: { n: 2 } },
      ])
    }
  })

  test('[ADPT-3] takes a name once that comes with every piece, and a call without an id', async () => {
    const piece = (args: string) => delta({ tool_calls: [{ index: 0, function: { name: 'Read', arguments: args } }] })
    const { answer } = await read(events([piece('{"n"'), piece(': 1}'), delta({}, 'tool_calls')]), true)
    expect(answer?.calls).toEqual([{ id: '', tool: 'Read', input: { n: 1 } }])
    expect(answer?.usage).toBeUndefined()
  })
})

const begun = [
  delta({ content: 'Hm' }),
  delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'Bash', arguments: '{"command":"rm"}' } }] }),
]

describeClient({
  model: (endpoint, options) =>
    openAICompatible({ baseURL: endpoint?.baseURL ?? 'http://model.invalid/v1', model: 'm', ...options }),
  address: 'http://model.invalid/v1/chat/completions',
  says: (streamed, content) =>
    streamed ? events([delta({ content }), delta({}, 'stop')]) : message({ content }, 'stop'),
  begins: (end) => events(begun, end === 'cut' ? 'cut' : 'silent'),
  failsMidway: (told) => events([delta({ content: 'Hm' }), { error: { message: told, code: 'oom' } }]),
  fails: (status, told) => json({ error: { message: told } }, status, { 'retry-after-ms': '1' }),
  nothing: (streamed) =>
    streamed ? [events([])] : [json({ choices: [] }), json({ object: 'error', message: 'busy' })],
  event: `data: ${JSON.stringify(delta({ content: 'Hm' }))}\n\n`,
  ApiError: APIError,
  Unusable: APIConnectionError,
  aborted: /aborted/,
  secrets: ['OPENAI_API_KEY', 'OPENAI_ADMIN_KEY', 'OPENAI_ORG_ID', 'OPENAI_PROJECT_ID'],
  environment: { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', OPENAI_CUSTOM_HEADERS: 'x-gateway: SECRET' },
})
