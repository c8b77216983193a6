import { expect, test } from 'vitest'
import type { Play } from '../../src/endpoint/play.ts'
import type { ScriptStep } from '../../src/endpoint/script.ts'
import { CONVERSATIONS } from './conversations.ts'
import { ask, hear, useEndpoint, type Wire, WIRES } from './wires.ts'

const endpoint = useEndpoint()
const play = ({ protocol }: Wire, ...script: ScriptStep[]): Play => endpoint().play(script, { protocol })

test.each(CONVERSATIONS.map(([wire, ...rest]) => [wire.protocol, wire, ...rest] as const))(
  '[CONF-1, CONF-8, LLM-1] a request of %s becomes the same shape as those of other wires',
  async (_, wire, more, request) => {
    const model = play(wire, { text: 'Yes.' }, { text: 'Yes.' })
    const body = { ...wire.hello, ...more }
    for (const stream of [false, true]) await ask(model, wire, { body, stream })
    expect(model.failures).toEqual([])
    expect(model.requests).toEqual(
      [false, true].map((stream) => ({
        ...request,
        stream,
        raw: stream && wire.asksInBody ? { ...body, stream } : body,
      })),
    )
  },
)

const SCHEMA = { type: 'object', properties: { files: { type: 'integer' } } }

test.each<[Wire, object]>([
  [WIRES.openai, { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: SCHEMA } } }],
  [WIRES.responses, { text: { format: { type: 'json_schema', name: 'answer', schema: SCHEMA } } }],
  [WIRES.anthropic, { output_config: { format: { type: 'json_schema', schema: SCHEMA } } }],
  [WIRES.gemini, { generationConfig: { responseMimeType: 'application/json', responseJsonSchema: SCHEMA } }],
])('[CONF-1, ADPT-10] reads the schema of an answer from a request of $protocol', async (wire, more) => {
  const model = play(wire, { text: '{"files":1}' }, { text: 'Yes.' })
  for (const body of [{ ...wire.hello, ...more }, wire.hello]) await ask(model, wire, { body })
  expect(model.failures).toEqual([])
  expect(model.requests.map(({ output }) => output)).toEqual([SCHEMA, undefined])
})

test('[CONF-1] lets chat completions use an id again once its call is answered', async () => {
  const call = { id: 'a', type: 'function', function: { name: 'Bash', arguments: '{}' } }
  const round = [
    { role: 'assistant', content: '', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'a', content: '' },
  ]
  const user = { role: 'user', content: 'Look.' }
  const model = play(WIRES.openai, { text: 'Yes.' })
  await ask(model, WIRES.openai, { body: { model: 'm', messages: [user, ...round, user, ...round] } })
  expect(model.failures).toEqual([])
  expect(model.requests[0]!.messages).toHaveLength(6)
})

test.each(Object.values(WIRES))('[CONF-1] $protocol refuses a body over 16 MB and keeps serving', async (wire) => {
  const model = play(wire, { text: 'Still here.' })
  const padded = (count: number) => JSON.stringify(wire.hello).replace('Hello.', 'x'.repeat(count))
  expect((await ask(model, wire, { body: padded(16 * 1024 * 1024) })).status).toBe(413)
  expect(model.failures).toEqual([expect.stringContaining('larger than 16777216 bytes')])
  expect((await hear(await ask(model, wire, { body: padded(1024 * 1024) }), wire)).text).toBe('Still here.')
})

const VERSION = { 'anthropic-version': '2023-06-01' }
const INVALID = { details: [{ reason: 'API_KEY_INVALID' }] }

/** How the key is given, the answer to that of another play, and the status for that of the own. */
test.each<[Wire, (key: string) => Readonly<Record<string, string>>, number, object, number]>([
  [WIRES.openai, () => ({}), 401, { code: 'invalid_api_key' }, 401],
  [WIRES.openai, (key) => ({ authorization: `Bearer ${key}` }), 401, { code: 'invalid_api_key' }, 200],
  [WIRES.openai, (key) => ({ authorization: key }), 401, { code: 'invalid_api_key' }, 401],
  [WIRES.responses, () => ({}), 401, { code: 'invalid_api_key' }, 401],
  [WIRES.responses, (key) => ({ authorization: `Bearer ${key}` }), 401, { code: 'invalid_api_key' }, 200],
  [WIRES.responses, (key) => ({ authorization: key }), 401, { code: 'invalid_api_key' }, 401],
  [WIRES.anthropic, () => VERSION, 401, { type: 'authentication_error' }, 401],
  [WIRES.anthropic, (key) => ({ ...VERSION, 'x-api-key': key }), 401, { type: 'authentication_error' }, 200],
  [
    WIRES.anthropic,
    (key) => ({ ...VERSION, authorization: `Bearer ${key}` }),
    401,
    { type: 'authentication_error' },
    200,
  ],
  [WIRES.anthropic, (key) => ({ ...VERSION, authorization: key }), 401, { type: 'authentication_error' }, 401],
  [WIRES.gemini, () => ({}), 403, { status: 'PERMISSION_DENIED' }, 403],
  [WIRES.gemini, (key) => ({ authorization: `Bearer ${key}` }), 403, { status: 'PERMISSION_DENIED' }, 403],
  [WIRES.gemini, (key) => ({ 'x-goog-api-key': key }), 400, INVALID, 200],
  [WIRES.gemini, (key) => ({ query: `?key=${key}` }), 400, INVALID, 200],
])(
  '[CONF-1, LLM-1] $0.protocol refuses the key of another play, given as %s',
  async (wire, given, status, error, own) => {
    const model = play(wire, { text: 'Secret.' })
    const other = play(wire)
    const asked = (key: string) => {
      const { query = '', ...headers } = given(key)
      return ask(model, wire, { headers, path: wire.path(model, false) + query })
    }
    const response = await asked(other.apiKey)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ error })
    expect(model.failures).toEqual([expect.stringContaining('without the key of its play')])
    expect([...model.requests, ...other.failures]).toEqual([])
    expect((await asked(model.apiKey)).status).toBe(own)
  },
)

test.each<Readonly<Record<string, string>>>([{}, { 'anthropic-version': '2022-01-01' }])(
  '[LLM-1] Anthropic wants a version it knows: %o',
  async (version) => {
    const model = play(WIRES.anthropic, { text: 'Yes.' })
    const response = await ask(model, WIRES.anthropic, { headers: { 'x-api-key': model.apiKey, ...version } })
    expect(response.status).toBe(400)
    expect(model.failures).toEqual([expect.stringContaining('Send one of 2023-06-01, ')])
  },
)

test.each<[Wire, string, string]>([
  [WIRES.openai, 'GET', '/chat/completions'],
  [WIRES.openai, 'GET', '/models'],
  [WIRES.openai, 'POST', '/responses'],
  [WIRES.responses, 'GET', '/responses'],
  [WIRES.responses, 'POST', '/chat/completions'],
  [WIRES.responses, 'GET', '/responses/resp_1'],
  [WIRES.responses, 'POST', '/responses/compact'],
  [WIRES.anthropic, 'GET', '/v1/messages'],
  [WIRES.anthropic, 'GET', '/v1/messages/count_tokens'],
  [WIRES.anthropic, 'POST', '/messages'],
  [WIRES.anthropic, 'POST', '/v1/chat/completions'],
  [WIRES.anthropic, 'POST', '/v1/v1/messages'],
  [WIRES.gemini, 'GET', '/v1beta/models/m:generateContent'],
  [WIRES.gemini, 'POST', '/v1beta/models/m:countTokens'],
  [WIRES.gemini, 'POST', '/v1beta/models/m:streamGenerateContent'],
  [WIRES.gemini, 'POST', '/v2/models/m:generateContent'],
  [WIRES.gemini, 'POST', '/models/m:generateContent'],
  [WIRES.gemini, 'POST', '/v1beta/models/:generateContent'],
])('[CONF-1, LLM-1] $0.protocol serves nothing at %s %s, and notes what it serves', async (wire, method, path) => {
  const model = play(wire)
  const response = await fetch(model.baseURL + path, { method, headers: wire.headers(model) })
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining('is not served') } })
  expect(model.failures).toEqual([expect.stringMatching(/ is not served\. Known are POST \S+.*, below \/play\/\d+/)])
})

test('[CONF-1] answers an address at which nothing is played with 404', async () => {
  const origin = new URL(play(WIRES.openai).baseURL).origin
  for (const path of ['/', '/play/none/v1/models', '/v1/chat/completions', '//', '/play/constructor/v1/models']) {
    expect((await fetch(origin + path)).status).toBe(404)
  }
})
