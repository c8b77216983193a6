import { ApiError } from '@google/genai/web'
import { describe, expect, test } from 'vitest'
import { ask } from '../ask.ts'
import { describeClient } from '../client-contract.ts'
import { clientOf, type MakeModel, STREAMED } from '../client.ts'
import { readTwice, storedAnswer } from '../conversation.ts'
import { expectFinishReasons, expectFullAnswer } from '../expected-answer.ts'
import { json, openRawEndpoint, type RawAnswer } from '../raw-endpoint.ts'
import { gemini, type GeminiOptions } from '../../src/gemini/gemini.ts'
import type { AssistantMessage, Message } from '../../src/model.ts'
import { chunk, chunkStream, say, usageMetadata } from './wire.ts'

const call = (id: string, name: string, args: unknown) => ({ functionCall: { id, name, args } })

const model: MakeModel<GeminiOptions> = (endpoint, options) =>
  gemini({ model: 'm', apiKey: 'k', ...(endpoint && { baseURL: endpoint.origin }), ...options })
const { read, sent } = clientOf(model, say(false, [{ text: 'ok' }], 'STOP'))

describe('what is asked', () => {
  test('[LLM-1] words a conversation as contents, the results of one message in one, in the order of its calls', async () => {
    const inputSchema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { a: { oneOf: [{ const: 1 }, { $ref: '#/$defs/b' }] } },
      $defs: { b: { type: ['string', 'null'], pattern: '^x' } },
      additionalProperties: false,
    }
    const request = await sent(
      {
        system: 'Be kind.',
        messages: [...readTwice('Let me see.'), { role: 'user', content: 'And now?' }],
        tools: [{ name: 'Read', description: 'Reads.', inputSchema }],
        stop: ['STOP'],
      },
      {
        model: 'gemini-2.5-flash',
        headers: { 'x-team': 'a' },
        body: {
          generationConfig: { temperature: 0, stopSequences: ['other'] },
          safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }],
          contents: [{ role: 'user', parts: [{ text: 'other' }] }],
          systemInstruction: { parts: [{ text: 'other' }] },
          tools: [{ googleSearch: {} }],
        },
      },
    )
    expect(request).toMatchObject({
      path: '/v1beta/models/gemini-2.5-flash:generateContent',
      headers: { 'x-goog-api-key': 'k', 'x-team': 'a' },
    })
    expect(request.body).toEqual({
      systemInstruction: { parts: [{ text: 'Be kind.' }] },
      generationConfig: { temperature: 0, stopSequences: ['STOP'] },
      safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }],
      tools: [{ functionDeclarations: [{ name: 'Read', description: 'Reads.', parametersJsonSchema: inputSchema }] }],
      contents: [
        { role: 'user', parts: [{ text: 'Hello' }] },
        {
          role: 'model',
          parts: [{ text: 'Let me see.' }, call('a', 'Read', { b: 1, a: [null] }), call('b', 'Read', {})],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { id: 'a', name: 'Read', response: { output: 'text' } } },
            { functionResponse: { id: 'b', name: 'Read', response: { error: 'refused' } } },
          ],
        },
        { role: 'user', parts: [{ text: 'And now?' }] },
      ],
    })
  })

  test('[LLM-1] sends further fields of the request where the loop has none of its own', async () => {
    const body = { generationConfig: { stopSequences: ['END'] }, systemInstruction: { parts: [{ text: 'Be kind.' }] } }
    const messages: Message[] = [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: '' },
    ]
    expect((await sent({ messages }, { body })).body).toEqual({
      ...body,
      contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
    })
  })

  test('[LLM-1] sends a call without a signature to Gemini 3 and later as one that another model made', async () => {
    const messages: Message[] = [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: '', calls: ['a', 'b'].map((id) => ({ id, tool: '2 Read!', input: {} })) },
      { role: 'tool', callId: 'a', tool: '2 Read!', content: 'A', isError: false },
      { role: 'tool', callId: 'b', tool: '2 Read!', content: 'B', isError: false },
    ]
    const made = [call('a', '_2_Read_', {}), call('b', '_2_Read_', {})]
    const marked = [{ ...made[0], thoughtSignature: 'skip_thought_signature_validator' }, made[1]]
    const models: Record<string, unknown> = {
      'gemini-2.5-pro': made,
      'gemini-1.5-flash': made,
      'gemma-3-27b': made,
      'gemini-3-pro': marked,
      'gemini-3.5-flash': marked,
      'gemini-12-pro': marked,
      'gemini-flash-latest': marked,
      'models/gemini-3-flash': marked,
    }
    for (const [name, parts] of Object.entries(models)) {
      const [, said] = (await sent({ messages }, { model: name })).body.contents as unknown[]
      expect([name, said]).toEqual([name, { role: 'model', parts }])
    }
  })

  test('[LLM-1] refuses an empty key', () => {
    expect(() => gemini({ model: 'm', apiKey: '' })).toThrow(TypeError)
  })
})

describe.each(STREAMED)('what is answered, %s', (_, streamed) => {
  test('[LLM-1] reads text, calls and usage', async () => {
    const full = say(
      streamed,
      [
        { text: 'Lüñe ' },
        { text: '技' },
        call('a', 'Read', { x: 1 }),
        { functionCall: { name: 'List' } },
        call('c', 'Read', '{"x": '),
        call('d', 'Read', null),
      ],
      'STOP',
    )
    await expectFullAnswer(read(full, streamed), [
      { id: 'a', tool: 'Read', input: { x: 1 } },
      { id: '', tool: 'List', input: {} },
      { id: 'c', tool: 'Read', input: '{"x": ' },
      { id: 'd', tool: 'Read', input: null },
    ])
  })

  test('[LLM-1] tells why the model stopped', async () => {
    const reasons = {
      STOP: 'stop',
      MAX_TOKENS: 'length',
      CONTINUATION: 'length',
      SAFETY: 'content-filter',
      RECITATION: 'content-filter',
      IMAGE_SAFETY: 'content-filter',
      OTHER: 'other',
      constructor: 'other',
    }
    await expectFinishReasons(reasons, (reason) => read(say(streamed, [{ text: 'x' }], reason), streamed))
    const filtered = await read(say(streamed, [], 'SAFETY'), streamed)
    expect(filtered.answer).toMatchObject({ text: '', calls: [], finishReason: 'content-filter' })
  })

  test('[LLM-1] tells that the prompt itself was blocked, in the words of the vendor', async () => {
    const blocked = { promptFeedback: { blockReason: 'PROHIBITED_CONTENT', blockReasonMessage: 'No.' }, usageMetadata }
    const { answer } = await read(streamed ? chunkStream([blocked]) : json(blocked), streamed)
    expect(answer).toMatchObject({ text: 'No.', calls: [], finishReason: 'content-filter' })
  })

  test('[LLM-1, GATE-5] takes an answer with a call that the vendor could not read for an error', async () => {
    for (const reason of ['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'MALFORMED_RESPONSE']) {
      const failing = read(say(streamed, [{ text: 'Hm' }, call('a', 'Bash', { command: 'rm' })], reason), streamed)
      await expect(failing).rejects.toThrow(new RegExp(`"m" by .*127\\.0\\.0\\.1.*${reason}`))
    }
  })

  test('[LLM-1] keeps thoughts out of the text, and sends them and their signatures back as they came', async () => {
    const parts = [
      { text: 'Hm, 技', thought: true },
      { text: 'I look.', thoughtSignature: 'b25l' },
      { text: ' Now.' },
      { ...call('a', 'Read', { x: 1 }), thoughtSignature: 'dHdv' },
      call('a', 'Read', { x: 2 }),
    ]
    const { answer, text } = await read(say(streamed, parts, 'STOP'), streamed)
    expect([text, answer?.text]).toEqual(['I look. Now.', 'I look. Now.'])
    const { message, misfits, around } = storedAnswer(answer, -1)
    const back = async (said: AssistantMessage) => {
      const { body } = await sent({ messages: around(said) }, { model: 'gemini-3-pro' })
      return (body.contents as { parts: unknown }[])[1]?.parts
    }
    const bare = [call('own_0', 'Read', { x: 1 }), call('own_1', 'Read', { x: 2 })]
    const signed = { ...bare[0], thoughtSignature: 'dHdv' }
    // In a stream the signature of a text has a part of its own, behind it.
    expect(await back(message)).toEqual(
      streamed
        ? [parts[0], { text: 'I look.' }, { text: '', thoughtSignature: 'b25l' }, parts[2], signed, bare[1]]
        : [parts[0], parts[1], parts[2], signed, bare[1]],
    )
    // What no longer fits the message, or is another vendor's, is left out.
    for (const other of misfits) {
      const marked = { ...bare[0], thoughtSignature: 'skip_thought_signature_validator' }
      expect(await back(other)).toEqual([{ text: other.content }, ...[marked, bare[1]].slice(0, other.calls.length)])
    }
  })

  test('[LLM-1] gives nothing beside text and calls where the vendor wants nothing else back', async () => {
    const plain = say(streamed, [{ text: 'a' }, { text: 'Hm', thought: true }, call('a', 'Read', {})], 'STOP')
    expect((await read(plain, streamed)).answer).not.toHaveProperty('provider')
  })

  test('[LLM-1] says what went wrong where the endpoint cannot be reached', async () => {
    const endpoint = await openRawEndpoint()
    const gone = { ...endpoint, origin: endpoint.origin.replace(/:\d+$/, ':1') }
    await expect(ask(model(gone, { maxRetries: 0 }), streamed)).rejects.toThrow(
      /"m" by .*127\.0\.0\.1:1 .*fetch failed/,
    )
  })
})

const hm = chunk([{ text: 'Hm' }])
const page: RawAnswer = (response) => void response.writeHead(200).end('<html>')

describeClient({
  model,
  address: 'https://generativelanguage.googleapis.com/v1beta/models/m:generateContent',
  says: (streamed, words) => say(streamed, [{ text: words }], 'STOP'),
  begins: (end) => chunkStream([hm, chunk([call('a', 'Bash', { command: 'rm' })])], end === 'cut' ? 'cut' : 'done'),
  failsMidway: (message) => chunkStream([hm, { error: { code: 503, message, status: 'UNAVAILABLE' } }]),
  fails: (status, message) => json({ error: { code: status, message, status: 'SOME_STATUS' } }, status),
  nothing: (streamed) => [json({ candidates: [] }), ...(streamed ? [chunkStream([])] : [json({}), page])],
  event: `data: ${JSON.stringify(hm)}\r\n\r\n`,
  ApiError,
  Unusable: Error,
  aborted: /enough/,
  secrets: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_CLOUD_PROJECT', 'GOOGLE_CLOUD_LOCATION'],
  environment: { GOOGLE_GEMINI_BASE_URL: 'http://127.0.0.1:1', GOOGLE_GENAI_USE_VERTEXAI: 'true' },
})

test('[LLM-1, GATE-5] takes no call from a stream that ends in the middle of a chunk', async () => {
  const begun = [hm, chunk([call('a', 'Bash', { command: 'rm' })])]
  await expect(read(chunkStream(begun, 'half'), true)).rejects.toThrow(/"m" by .*127\.0\.0\.1/)
})
