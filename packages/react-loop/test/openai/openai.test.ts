import { APIConnectionError, APIError, NotFoundError, RateLimitError } from 'openai'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { delta, events, json, message, openRawEndpoint, type RawAnswer } from '../raw-endpoint.ts'
import type { ModelAnswer, ModelRequest } from '../../src/model.ts'
import { openAICompatible, type OpenAICompatibleOptions } from '../../src/openai/openai.ts'

const hello: ModelRequest = { messages: [{ role: 'user', content: 'Hello' }], tools: [] }

/** What one answer of the endpoint is read as. */
async function read(
  answer: RawAnswer,
  streamed: boolean,
  options?: Partial<OpenAICompatibleOptions>,
): Promise<{ answer: ModelAnswer | undefined; text: string }> {
  const { baseURL } = await openRawEndpoint(answer)
  const model = openAICompatible({ baseURL, model: 'm', maxRetries: 0, ...options })
  if (!streamed) {
    const complete = await model.complete(hello, {})
    return { answer: complete, text: complete.text }
  }
  let text = ''
  let last: ModelAnswer | undefined
  for await (const part of model.stream(hello, {})) {
    if (part.type === 'text') text += part.text
    else last = part.answer
  }
  return { answer: last, text }
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

  describe('with an environment made for another endpoint', () => {
    afterEach(() => void vi.unstubAllEnvs())

    test('[ADPT-3] sends nothing of it: no key, no organization, no header', async () => {
      for (const name of ['OPENAI_API_KEY', 'OPENAI_ADMIN_KEY', 'OPENAI_ORG_ID', 'OPENAI_PROJECT_ID'])
        vi.stubEnv(name, 'SECRET-OF-ANOTHER')
      vi.stubEnv('OPENAI_BASE_URL', 'http://127.0.0.1:1/v1')
      vi.stubEnv('OPENAI_CUSTOM_HEADERS', 'x-gateway: SECRET-OF-ANOTHER')
      const endpoint = await openRawEndpoint(message({ content: 'ok' }))
      await openAICompatible({ baseURL: endpoint.baseURL, model: 'm' }).complete(hello, {})
      expect(endpoint.requests).toHaveLength(1)
      expect(endpoint.requests[0]?.headers.authorization).toBeUndefined()
      expect(JSON.stringify(endpoint.requests)).not.toContain('SECRET-OF-ANOTHER')
    })
  })

  test('[ADPT-3] uses the fetch that it is given', async () => {
    const asked: string[] = []
    const model = openAICompatible({
      baseURL: 'http://model.invalid/v1',
      model: 'm',
      fetch: (input) => {
        asked.push(input instanceof Request ? input.url : input.toString())
        return Promise.resolve(
          Response.json({ choices: [{ message: { content: 'from afar' }, finish_reason: 'stop' }] }),
        )
      },
    })
    expect((await model.complete(hello, {})).text).toBe('from afar')
    expect(asked).toEqual(['http://model.invalid/v1/chat/completions'])
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

  test('[ADPT-3] lets the errors of an endpoint surface as they are', async () => {
    const body = { error: { message: 'No such model.', type: 'invalid_request_error', code: 'model_not_found' } }
    const failing = read(json(body, 404), streamed)
    await expect(failing).rejects.toBeInstanceOf(NotFoundError)
    await expect(failing).rejects.toMatchObject({ status: 404, code: 'model_not_found' })
  })

  test('[ADPT-3] takes an answer that is none for an error, and says which endpoint gave it', async () => {
    const empty = streamed ? events([]) : json({ choices: [] })
    const failing = read(empty, streamed)
    await expect(failing).rejects.toBeInstanceOf(APIConnectionError)
    await expect(failing).rejects.toThrow(/127\.0\.0\.1.*"m"/)
    if (!streamed)
      await expect(read(json({ object: 'error', message: 'busy' }), false)).rejects.toBeInstanceOf(APIConnectionError)
  })

  test('[ADPT-3] repeats a request after 429 and 5xx as often as it may, and no more', async () => {
    const busy = json({ error: { message: 'busy' } }, 429, { 'retry-after-ms': '1' })
    const down = json({ error: { message: 'down' } }, 503, { 'retry-after-ms': '1' })
    const endpoint = await openRawEndpoint(busy, down, say('at last', [], 'stop'), busy, busy, busy, busy)
    const model = openAICompatible({ baseURL: endpoint.baseURL, model: 'm', maxRetries: 2 })
    const ask = async () => {
      if (!streamed) return (await model.complete(hello, {})).text
      let text = ''
      for await (const part of model.stream(hello, {})) if (part.type === 'answer') ({ text } = part.answer)
      return text
    }
    expect(await ask()).toBe('at last')
    await expect(ask()).rejects.toBeInstanceOf(RateLimitError)
    expect(endpoint.requests).toHaveLength(6)
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

  test('[ADPT-3, GATE-5] takes no call from a stream that broke off, even where the call looks whole', async () => {
    const chunks = [
      delta({ content: 'Hm' }),
      delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'Bash', arguments: '{"command":"rm"}' } }] }),
    ]
    for (const end of ['silent', 'cut'] as const) {
      await expect(read(events(chunks, end), true)).rejects.toBeInstanceOf(APIConnectionError)
    }
  })

  test('[ADPT-3] lets an error that comes in the middle of a stream surface as it is', async () => {
    const failing = read(
      events([delta({ content: 'Hm' }), { error: { message: 'The model fell over.', code: 'oom' } }]),
      true,
    )
    await expect(failing).rejects.toBeInstanceOf(APIError)
    await expect(failing).rejects.toMatchObject({ code: 'oom' })
  })
})
