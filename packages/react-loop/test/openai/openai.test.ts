import { describe, expect, test } from 'vitest'
import { modelAt, read, sent as sentFor, STREAMED } from '../client.ts'
import { readTwice } from '../conversation.ts'
import { delta, events, json, message, openRawEndpoint } from '../raw-endpoint.ts'
import type { Message, ModelRequest, OpenAICompatibleOptions } from '../../src/index.ts'
import { call, say } from './wire.ts'

const sent = (request: Partial<ModelRequest>, options?: Partial<OpenAICompatibleOptions>) =>
  sentFor(message({ content: 'ok' }), request, options)

describe('what is asked', () => {
  test('[ADPT-3] words a conversation as chat completions', async () => {
    const request = await sent(
      {
        system: 'Be kind.',
        messages: [...readTwice(''), { role: 'assistant', content: 'So.' }],
        tools: [{ name: 'Read', description: 'Reads.', inputSchema: { type: 'object', properties: {} } }],
        stop: ['STOP'],
      },
      { apiKey: 'k', headers: { 'x-team': 'a' }, body: { temperature: 0, model: 'other' } },
    )
    expect(request).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer k', 'x-team': 'a' },
    })
    expect(request.body).toEqual({
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

  test('[ADPT-3] has no authorization if there is no key', async () => {
    expect((await sent({})).headers.authorization).toBeUndefined()
  })

  test.each(['complete', 'stream'] as const)('[FRONT-5] says after a 401 of %s that there was no key', async (by) => {
    const refusal = json({ error: { message: 'Who are you?' } }, 401)
    const endpoint = await openRawEndpoint(refusal, refusal)
    const request = { messages: [{ role: 'user', content: 'Hello' }], tools: [] } as const
    const run = async (options: object) => {
      const made = modelAt(endpoint, options)
      if (by === 'complete') await made.complete(request, {})
      else for await (const _ of made.stream(request, {}));
    }
    const said = `No \`apiKey\` was given for ${endpoint.baseURL}.`
    await expect(run({})).rejects.toThrow(`Who are you? ${said}`)
    const withKey = run({ apiKey: 'k' })
    await expect(withKey).rejects.toThrow('Who are you?')
    await expect(withKey).rejects.not.toThrow(said)
    expect(endpoint.requests).toHaveLength(2)
  })
})

describe.each(STREAMED)('what is answered, %s', (_, streamed) => {
  test('[ADPT-3] reads text, calls and usage', async () => {
    const full = say(
      streamed,
      'Lüñe 技',
      [call('a', 'Read', '{"x": 1}'), call('b', 'List', ''), call('c', 'Read', '{"x": ')],
      'tool_calls',
    )
    const { answer, text } = await read(full, streamed)
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

  test.each(['reasoning_content', 'reasoning'])(
    '[CONF-8] sends %s back with its message, to the same model only',
    async (field) => {
      const { answer } = await read(
        say(streamed, 'So.', [call('a', 'Read', '{}')], 'tool_calls', { [field]: 'I read "it". 技' }),
        streamed,
      )
      const { calls, provider } = answer!
      const stored = JSON.parse(JSON.stringify({ role: 'assistant', content: 'So.', calls, provider }))
      const result = { role: 'tool', callId: 'a', tool: 'Read', content: 'x', isError: false } as const
      const messages = [...readTwice('').slice(0, 1), stored, result]
      const assistant = { role: 'assistant', content: 'So.', tool_calls: [call('a', 'Read', '{}')] }
      const second = async (given: readonly Message[], options = {}) =>
        ((await sent({ messages: given }, options)).body['messages'] as readonly unknown[])[1]
      expect(await second(messages)).toEqual({ ...assistant, [field]: 'I read "it". 技' })
      expect(await second(messages, { model: 'other' })).toEqual(assistant)
      const more = { ...stored, provider: { ...stored.provider, content: [{ role: 'system', [field]: 7 }] } }
      expect(await second([messages[0]!, more, result])).toEqual(assistant)
    },
  )

  test('[CONF-8] sends the details of reasoning back as the endpoint sent them', async () => {
    const signed = { type: 'reasoning.text', text: 'I read "it". 技', signature: 'c2lnbmVk', format: 'x', index: 0 }
    const sealed = { type: 'reasoning.encrypted', data: 'c2VhbGVk', id: 'r1', format: 'x', index: 1 }
    const summary = { type: 'reasoning.summary', summary: 'Hm.', format: 'x' }
    const details = [signed, sealed, sealed, summary, summary]
    const pieces = [
      ...Array.from(signed.text, (text) => [{ ...signed, text, signature: null }]),
      [{ ...signed, text: '' }, sealed],
      [{ type: 'reasoning.encrypted', data: '', index: 1 }, sealed, summary],
      [summary],
    ]
    const answer = await read(
      streamed
        ? events([...pieces.map((piece) => delta({ reasoning_details: piece })), delta({ content: 'So.' }, 'stop')])
        : message({ content: 'So.', reasoning_details: details }),
      streamed,
    )
    const provider = JSON.parse(JSON.stringify(answer.answer?.provider))
    const request = await sent({ messages: [{ role: 'assistant', content: 'So.', provider }] })
    expect(request.body['messages']).toEqual([{ role: 'assistant', content: 'So.', reasoning_details: details }])
  })

  test('[CONF-8] sends what came beside each call back with it, unless the calls are no longer the same', async () => {
    const extra_content = { google: { thought_signature: 'c2lnbmVk' } }
    const calls = [call('a', 'Read', '{}'), { ...call('b', 'Read', '{}'), extra_content }]
    const pieces = calls.map((each, index) => delta({ tool_calls: [{ index, ...each }] }))
    const { answer } = await read(
      streamed ? events([...pieces, delta({}, 'tool_calls')]) : message({ content: null, tool_calls: calls }),
      streamed,
    )
    const said = { role: 'assistant', content: '', calls: answer!.calls, provider: answer!.provider! } as const
    const callsOf = async (given: Message, options = {}) => {
      const [back] = (await sent({ messages: [given] }, options)).body['messages'] as { tool_calls: unknown[] }[]
      return back?.tool_calls
    }
    expect(await callsOf(said)).toEqual(calls)
    expect(await callsOf({ ...said, calls: said.calls.slice(1) })).toEqual([call('b', 'Read', '{}')])
    expect(await callsOf(said, { model: 'other' })).toEqual([call('a', 'Read', '{}'), call('b', 'Read', '{}')])
  })

  test.each([
    ['stop', 'stop'],
    ['tool_calls', 'stop'],
    ['length', 'length'],
    ['content_filter', 'content-filter'],
    ['eos', 'other'],
    ['constructor', 'other'],
  ])('[ADPT-3] reads the reason %s as %s', async (reason, finishReason) => {
    expect((await read(say(streamed, 'x', [], reason), streamed)).answer).toMatchObject({ text: 'x', finishReason })
  })

  test('[ADPT-3] reads a refusal', async () => {
    const { answer } = await read(say(streamed, null, [], 'stop', { refusal: 'I would rather not.' }), streamed)
    expect(answer).toMatchObject({ text: 'I would rather not.', finishReason: 'refusal' })
  })
})

test('[ADPT-3] reads a whole message without a reason, with calls without ids', async () => {
  const calls = [{ ...call('', 'Read', '{"n":1}') }, { ...call('', 'Read', '{"n":2}') }]
  const { answer } = await read(message({ content: null, tool_calls: calls }, null), false)
  expect(answer).toMatchObject({ finishReason: 'stop', calls: [{ input: { n: 1 } }, { input: { n: 2 } }] })
})

describe('streams of many servers', () => {
  test('[ADPT-3] keeps calls apart that share an index, or have none', async () => {
    const whole = (index: number | undefined, id: string, name: string, args: string) => ({
      index,
      id,
      function: { name, arguments: args },
    })
    for (const index of [0, undefined]) {
      const chunks = [
        delta({
          tool_calls: [
            whole(index, 'a', 'Read', '{"n":'),
            { index, function: { arguments: '1}' } },
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
