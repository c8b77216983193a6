import { describe, expect, test } from 'vitest'
import { ask, askGemini, useEndpoint } from '../vendors.ts'
import { called, gave, hello, model, talk, text, user } from './talk.ts'
import type { Play } from '../../../src/endpoint/play.ts'
import type { ScriptStep } from '../../../src/endpoint/script.ts'

const endpoint = useEndpoint()
const play = (...script: ScriptStep[]): Play => endpoint().play(script, { protocol: 'gemini' })

test('[LLM-1] requests become the same shape as those of other protocols', async () => {
  const script = play({ text: 'Yes.' })
  const body = hello({
    systemInstruction: { role: 'user', parts: [{ text: 'Be brief' }, { text: '.' }] },
    generationConfig: { temperature: 0 },
    tools: [
      {
        functionDeclarations: [
          { name: 'Bash', description: 'Runs a command.', parametersJsonSchema: { type: 'object', $defs: {} } },
          { name: 'Now' },
        ],
      },
      {
        function_declarations: [
          {
            name: 'Read',
            parameters: {
              type: 'OBJECT',
              properties: {
                path: { type: 'STRING', minLength: '1' },
                all: { type: 'ARRAY', items: { type: 'INTEGER' } },
                either: { any_of: [{ type: 'NULL' }, { type: 'OBJECT', properties: { b: { type: 'BOOLEAN' } } }] },
              },
              required: ['path'],
            },
          },
        ],
      },
    ],
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['Bash'] } },
    contents: [
      { parts: [{ text: 'Look.' }] },
      user({ text: 'Twice' }, { inlineData: { mimeType: 'image/png', data: 'AA==' } }, { text: '!' }),
      model({ text: 'Hm.', thought: true }, { text: 'Two looks.' }, called('Bash', { command: 'ls' }), {
        function_call: { name: 'Now' },
      }),
      user({ function_response: { name: 'Bash', response: { result: 'a b' } } }, gave('Now', { output: { hour: 1 } })),
      user({ text: 'Go on.' }),
    ],
  })
  await askGemini(script, body)
  expect(script.failures).toEqual([])
  expect(script.requests).toEqual([
    {
      system: 'Be brief.',
      tools: [
        { name: 'Bash', description: 'Runs a command.', inputSchema: { type: 'object', $defs: {} } },
        { name: 'Now', description: '', inputSchema: { type: 'object', properties: {} } },
        {
          name: 'Read',
          description: '',
          inputSchema: {
            type: 'object',
            properties: {
              path: { type: 'string', minLength: '1' },
              all: { type: 'array', items: { type: 'integer' } },
              either: { anyOf: [{ type: 'null' }, { type: 'object', properties: { b: { type: 'boolean' } } }] },
            },
            required: ['path'],
          },
        },
      ],
      messages: [
        { role: 'user', text: 'Look.' },
        { role: 'user', text: 'Twice!' },
        {
          role: 'assistant',
          text: 'Two looks.',
          calls: [
            { id: 'unknown_3_1', tool: 'Bash', arguments: '{"command":"ls"}' },
            { id: 'unknown_3_2', tool: 'Now', arguments: '{}' },
          ],
        },
        { role: 'tool', text: 'a b', callId: 'unknown_3_1' },
        { role: 'tool', text: '{"hour":1}', callId: 'unknown_3_2' },
        { role: 'user', text: 'Go on.' },
      ],
      stream: false,
      raw: body,
    },
  ])
})

test.each<[object, string]>([
  [{ output: 'text' }, 'text'],
  [{ result: '' }, ''],
  [{ error: 'It broke.' }, 'It broke.'],
  [{ name: 'Bash', content: 'as the AI SDK has it' }, 'as the AI SDK has it'],
  [{ result: [1, null] }, '[1,null]'],
  [{ output: null }, 'null'],
  [{ lines: 3 }, '{"lines":3}'],
  [{ output: 'a', more: 'b' }, '{"output":"a","more":"b"}'],
  [{ name: 'Bob', output: 'a' }, '{"name":"Bob","output":"a"}'],
  [{}, '{}'],
])('[LLM-1] requests have the response %j as the text %j', async (response, shown) => {
  const script = play({ text: 'Yes.' })
  await askGemini(script, talk(user(text), model(called('Bash')), user(gave('Bash', response))))
  expect(script.failures).toEqual([])
  expect(script.requests[0]!.messages.at(-1)!.text).toBe(shown)
})

describe('requests of a client that keeps no ids', () => {
  const step = (...calls: [string, unknown][]): ScriptStep => ({
    calls: calls.map(([tool, input]) => ({ tool, input })),
  })

  test('[LLM-1] have the ids of the script, found by what was said, and results by order and name', async () => {
    const script = play(step(['Bash', { n: 1 }]), step(['Bash', { n: 2 }], ['Read', {}], ['Bash', { n: 3 }]), {
      text: 'Done.',
    })
    const contents = [user(text)]
    await askGemini(script, { contents })
    contents.push(model(called('Bash', { n: 1 })), user(gave('Bash')))
    await askGemini(script, { contents })
    contents.push(model(called('Bash', { n: 2 }), called('Read'), called('Bash', { n: 3 })))
    contents.push(user(gave('Read', { output: 'r' }), gave('Bash', { output: '2' }), gave('Bash', { output: '3' })))
    await askGemini(script, { contents })
    expect(script.failures).toEqual([])
    const { messages } = script.requests.at(-1)!
    expect(messages.flatMap(({ calls = [] }) => calls.map(({ id }) => id))).toEqual([
      'call_1_1',
      'call_2_1',
      'call_2_2',
      'call_2_3',
    ])
    expect(messages.filter(({ role }) => role === 'tool').map((each) => [each.callId, each.text])).toEqual([
      ['call_1_1', 'ok'],
      ['call_2_2', 'r'],
      ['call_2_1', '2'],
      ['call_2_3', '3'],
    ])
  })

  test('[LLM-1] are matched from the end where the beginning is gone, and by name where arguments were fixed', async () => {
    const script = play(step(['Bash', { n: 1 }]), step(['Bash', { n: 2 }]), step(['Bash', { n: 3 }]), {
      text: 'Done.',
    })
    for (const _ of [1, 2, 3]) await askGemini(script, hello())
    const contents = [
      user(text),
      model(called('Bash', { n: 2 })),
      user(gave('Bash')),
      model(called('Bash', { m: 3 })),
      user(gave('Bash')),
    ]
    await askGemini(script, { contents })
    expect(script.failures).toEqual([])
    const ids = script.requests.at(-1)!.messages.flatMap(({ callId }) => callId ?? [])
    expect(ids).toEqual(['call_2_1', 'call_3_1'])
  })

  test('[LLM-1] are told apart where the model said the same thing again', async () => {
    const again = step(['Bash', { n: 1 }])
    const script = play(again, again, { text: 'Both.' }, { text: 'The last.' })
    for (const _ of [1, 2]) await askGemini(script, hello())
    const round = [model(called('Bash', { n: 1 })), user(gave('Bash'))]
    await askGemini(script, talk(user(text), ...round, ...round))
    await askGemini(script, talk(user(text), ...round))
    const ids = script.requests.slice(2).map(({ messages }) => messages.flatMap(({ callId }) => callId ?? []))
    expect(ids).toEqual([['call_1_1', 'call_2_1'], ['call_2_1']])
  })

  test('[LLM-1] keep the ids in a play that goes on after another', async () => {
    const first = play(step(['Bash', { n: 1 }]))
    await askGemini(first, hello())
    const second = endpoint().play([{ text: 'Done.' }], { protocol: 'gemini', after: first })
    await askGemini(second, talk(user(text), model(called('Bash', { n: 1 })), user(gave('Bash'))))
    expect(second.requests[0]!.messages.at(-1)!.callId).toBe('call_1_1')
  })
})

describe('requests with calls of the turn that goes on', () => {
  const unsigned = { functionCall: { name: 'A', args: {} } }
  const done = user(gave('A'))
  test.each<[string, string, boolean, unknown[]]>([
    ['without a signature', 'gemini-3-pro', false, [model(unsigned), done]],
    ['without one in the second step', 'gemini-4', false, [model(called('A')), done, model(unsigned), done]],
    ['with an empty one', 'gemini-3-pro', false, [model({ ...unsigned, thoughtSignature: '' }), done]],
    [
      'with one beside the first of two',
      'gemini-3-pro',
      true,
      [model(called('A'), unsigned), user(gave('A'), gave('A'))],
    ],
    [
      'with one beside the second of two',
      'gemini-3-pro',
      false,
      [model(unsigned, called('A')), user(gave('A'), gave('A'))],
    ],
    ['of an earlier turn without', 'gemini-3-pro', true, [model(unsigned), done, model(text), user(text)]],
    ['of an older model without', 'gemini-2.5-flash', true, [model(unsigned), done]],
  ])('[LLM-1] %s, of %s: taken %s', async (_, name, taken, contents) => {
    const script = play({ text: 'Yes.' })
    const response = await askGemini(script, talk(user(text), ...contents), 'generateContent', name)
    expect(response.status).toBe(taken ? 200 : 400)
    expect(script.failures).toEqual(taken ? [] : [expect.stringContaining('without its thoughtSignature')])
  })
})

test('[LLM-1] requests carry the key in a header or in the address', async () => {
  const script = play({ text: 'Yes.' })
  const other = play()
  const path = '/v1beta/models/m:generateContent'
  const none = await ask(script, path, hello())
  expect(none.status).toBe(403)
  expect(await none.json()).toMatchObject({ error: { code: 403, status: 'PERMISSION_DENIED' } })
  for (const wrong of [
    await ask(script, path, hello(), { 'x-goog-api-key': other.apiKey }),
    await ask(script, `${path}?key=${other.apiKey}`, hello()),
  ]) {
    expect(wrong.status).toBe(400)
    expect(await wrong.json()).toMatchObject({
      error: { status: 'INVALID_ARGUMENT', details: [{ reason: 'API_KEY_INVALID' }] },
    })
  }
  expect((await ask(script, path, hello(), { authorization: `Bearer ${script.apiKey}` })).status).toBe(403)
  expect(script.failures).toHaveLength(4)
  expect((await ask(script, `${path}?key=${script.apiKey}`, hello())).status).toBe(200)
  expect(other.failures).toEqual([])
})

test.each([
  ['GET', '/v1beta/models/m:generateContent', 405],
  ['POST', '/v1beta/models/m:countTokens', 404],
  ['POST', '/v2/models/m:generateContent', 404],
  ['POST', '/models/m:generateContent', 404],
  ['POST', '/v1beta/models/:generateContent', 404],
])('[LLM-1] requests are refused at %s %s with %i', async (method, path, status) => {
  const script = play()
  const response = await fetch(script.baseURL + path, { method, headers: { 'x-goog-api-key': script.apiKey } })
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject({ error: { code: status } })
  expect(script.failures).toEqual([expect.stringContaining('is not served. Known are POST /v1beta/models/')])
})
