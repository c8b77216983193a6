import { expect, test } from 'vitest'
import type { Play } from '../../../src/endpoint/play.ts'
import type { ScriptStep } from '../../../src/endpoint/script.ts'
import { useEndpoint } from '../vendors.ts'
import { askResponses, hello } from './talk.ts'

const endpoint = useEndpoint()
const play = (...script: ScriptStep[]): Play => endpoint().play(script, { protocol: 'openai-responses' })

const user = { role: 'user', content: 'Hello.' }
const call = (id: string, more: object = {}) => ({
  type: 'function_call',
  call_id: id,
  name: 'Bash',
  arguments: '{}',
  ...more,
})
const output = (id: string, more: object = {}) => ({ type: 'function_call_output', call_id: id, output: 'ok', ...more })
const reasoning = (more: object = {}) => ({ type: 'reasoning', summary: [], ...more })
const talk = (...input: unknown[]) => hello({ input })
const tool = (more: object) => hello({ tools: [{ type: 'function', name: 'Bash', ...more }] })

test.each<[string, unknown, RegExp]>([
  ['that is not JSON', '{"model":', /is not JSON/],
  ['that is not an object', '[]', /not a JSON object/],
  ['without a model', hello({ model: undefined }), /"model" is not a string/],
  ['with a field of chat completions', hello({ messages: [] }), /Unknown parameter: 'messages'/],
  ['with a limit of chat completions', hello({ max_tokens: 5 }), /Unknown parameter: 'max_tokens'/],
  ['with a stream that is not a boolean', hello({ stream: 'yes' }), /"stream" is not a boolean/],
  ['with a store that is not a boolean', hello({ store: 1 }), /"store" is not a boolean/],
  ['with stream options but no stream', hello({ stream_options: {} }), /only allowed when "stream" is true/],
  ['in the background', hello({ background: true }), /"background" is given, which this endpoint does not serve/],
  ['of a kept conversation', hello({ conversation: 'conv_1' }), /"conversation" is given/],
  ['with instructions that are a list', hello({ instructions: [] }), /"instructions" is not a string/],
  ['without an input', hello({ input: undefined }), /One of "input" and "previous_response_id"/],
  ['with an empty input', talk(), /One of "input" and "previous_response_id"/],
  ['with an input that is an object', hello({ input: {} }), /"input" is not an array/],
  ['with an item that is text', talk('Hello.'), /input\[0\] is not an object/],
  ['with an unknown item', talk({ type: 'web_search_call' }), /input\[0\]\.type is "web_search_call"/],
  ['with a message of chat completions', talk({ role: 'tool', content: 'x' }), /input\[0\]\.role is "tool"/],
  [
    'with a part of chat completions',
    talk({ ...user, content: [{ type: 'text', text: 'x' }] }),
    /Invalid value: "text"/,
  ],
  [
    'with an input part of the assistant',
    talk({ role: 'assistant', content: [{ type: 'input_text', text: 'x' }] }),
    /Invalid value: "input_text".*output_text, refusal/,
  ],
  [
    'with an output part of the user',
    talk({ ...user, content: [{ type: 'output_text', text: 'x' }] }),
    /Invalid value/,
  ],
  ['with a part without its text', talk({ ...user, content: [{ type: 'input_text' }] }), /has no text/],
  ['with an image that is none', talk({ ...user, content: [{ type: 'input_image' }] }), /holds nothing/],
  ['with a content that is a number', talk({ ...user, content: 1 }), /input\[0\]\.content is not an array/],
  ['with a call that has no result', talk(user, call('a')), /No tool output found for function call a/],
  ['with one of two results', talk(user, call('a'), call('b'), output('b')), /No tool output .* call a/],
  ['with a result of no call', talk(user, output('a')), /No tool call found .* call_id a/],
  ['with a result before its call', talk(user, output('a'), call('a')), /No tool call found/],
  ['with two results of a call', talk(user, call('a'), output('a'), output('a')), /No tool call found/],
  [
    'with two calls of one id',
    talk(user, call('a'), call('a'), output('a'), output('a')),
    /Two calls have the call_id 'a'/,
  ],
  [
    'with an item twice',
    talk(user, ...[1, 2].flatMap(() => [call('a', { id: 'fc_1' }), output('a')])),
    /Duplicate item/,
  ],
  [
    'with the id of a call as that of its item',
    talk(user, call('a', { id: 'call_a' }), output('a')),
    /begins with 'fc'/,
  ],
  [
    'with a message id of a wrong kind',
    talk({ role: 'assistant', id: 'chatcmpl-1', content: 'x' }),
    /begins with 'msg'/,
  ],
  ['with a call_id of 65 characters', talk(user, call('a'.repeat(65)), output('a'.repeat(65))), /string too long/],
  ['with a call without a name', talk(user, call('a', { name: '' }), output('a')), /input\[1\]\.name is not a string/],
  [
    'with arguments that are an object',
    talk(user, call('a', { arguments: {} }), output('a')),
    /arguments is not a string/,
  ],
  ['with arguments that are not JSON', talk(user, call('a', { arguments: '{' }), output('a')), /not a JSON object/],
  ['with a result that is an object', talk(user, call('a'), output('a', { output: {} })), /output is not an array/],
  ['with a result without a call_id', talk(user, call('a'), output('')), /call_id is not a string/],
  ['with reasoning at the end', talk(user, reasoning({ id: 'rs_1', encrypted_content: 'x' })), /could not be verified/],
  ['with reasoning that is nothing', talk(user, reasoning()), /neither an "id" nor an "encrypted_content"/],
  ['with reasoning without a summary', talk(user, { type: 'reasoning', id: 'rs_1' }), /summary is not an array/],
  [
    'with a summary that is text',
    talk(user, reasoning({ summary: [{ type: 'text', text: 'x' }] })),
    /not "summary_text"/,
  ],
  [
    'with a tool of chat completions',
    hello({ tools: [{ type: 'function', function: {} }] }),
    /tools\[0\]\.name is not/,
  ],
  ['with a tool that the vendor runs', hello({ tools: [{ type: 'web_search' }] }), /which the vendor runs/],
  ['with a schema that is not an object', tool({ parameters: { type: 'string' } }), /is of type "string"/],
  ['with an odd tool name', tool({ name: 'a b' }), /tools\[0\]\.name is "a b"/],
  ['with a description that is a list', tool({ description: [] }), /description is not a string/],
  [
    'with two tools of one name',
    hello({ tools: [1, 2].map(() => ({ type: 'function', name: 'A' })) }),
    /second tool named "A"/,
  ],
  [
    'with a strict tool that allows more',
    tool({ strict: true, parameters: { type: 'object', properties: {} } }),
    /'additionalProperties' must be given and be false/,
  ],
  [
    'with a strict tool that leaves something out',
    tool({ strict: true, parameters: { type: 'object', properties: { a: {} }, additionalProperties: false } }),
    /Missing 'a'/,
  ],
  ['with a choice of chat completions', hello({ tool_choice: { type: 'tool' } }), /tool_choice\.type is "tool"/],
  [
    'with a choice that is not offered',
    hello({ tool_choice: { type: 'function', name: 'A' } }),
    /'A' not found in 'tools'/,
  ],
])('[CONF-8] requests are refused %s as OpenAI refuses, and noted', async (_, body, message) => {
  const model = play({ text: 'Not played.' })
  const response = await askResponses(model, body)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    error: { type: 'invalid_request_error', message: expect.stringMatching(message) },
  })
  expect(model.failures).toEqual([expect.stringMatching(message)])
  expect(model.requests).toEqual([])
  expect(await (await askResponses(model, hello())).json()).toMatchObject({ output: [{ type: 'message' }] })
})

const thinking: ScriptStep = { calls: [{ tool: 'Bash', input: {} }], reasoning: { text: 'Hm.' } }

/** The items of an answer that a play has given. */
async function answered(model: Play, more: object = {}): Promise<any[]> {
  const body = hello({ include: ['reasoning.encrypted_content'], ...more })
  return ((await (await askResponses(model, body)).json()) as { output: any[] }).output
}

test.each<[string, (thought: any, called: any) => unknown[], number, RegExp]>([
  ['reasoning without what it led to', (thought) => [thought], 400, /without its required following item/],
  ['reasoning and then the user', (thought) => [thought, user], 400, /without its required following item/],
  [
    'a call without its reasoning',
    (_, called) => [called, output('call_1_1')],
    400,
    /without its required 'reasoning' item/,
  ],
  [
    'a reference to a call without its reasoning',
    (_, { id }) => [{ type: 'item_reference', id }, output('call_1_1')],
    400,
    /without its required 'reasoning' item/,
  ],
  [
    'a reference twice',
    ({ id }) => [1, 2].map(() => ({ type: 'item_reference', id })),
    400,
    /Duplicate item found with id rs_/,
  ],
  [
    'changed reasoning',
    (thought, called) => [{ ...thought, encrypted_content: 'dGhvdWdodDogAA' }, called, output('call_1_1')],
    400,
    /could not be verified/,
  ],
  [
    'a reference to nothing',
    () => [{ type: 'item_reference', id: 'msg_none' }],
    404,
    /Item with id 'msg_none' not found/,
  ],
  ['reasoning of another conversation', () => [reasoning({ id: 'rs_none' })], 404, /Item with id 'rs_none' not found/],
])('[CONF-8] %s is refused, and noted', async (_, input, status, message) => {
  const model = play(thinking, { text: 'Not played.' })
  const [thought, called] = await answered(model)
  const response = await askResponses(model, talk(user, ...input(thought, called)))
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject({ error: { message: expect.stringMatching(message) } })
  expect(model.failures).toEqual([expect.stringMatching(message)])
})

test.each<[string, object, (thought: any, called: any) => unknown[]]>([
  ['unchanged', {}, (thought, called) => [thought, called]],
  ['by its id alone', {}, ({ id }, called) => [reasoning({ id }), called]],
  ['by references', {}, (thought, called) => [thought, called].map(({ id }) => ({ type: 'item_reference', id }))],
  ['encrypted and not stored', { store: false }, (thought, called) => [thought, called]],
  [
    'without ids',
    { store: false },
    (thought, called) => [
      { ...thought, id: undefined },
      { ...called, id: undefined },
    ],
  ],
])('[CONF-8] reasoning is read when it is sent back %s', async (_, more, input) => {
  const model = play(thinking, { text: 'Yes.' })
  const [thought, called] = await answered(model, more)
  await askResponses(model, talk(user, ...input(thought, called), output('call_1_1')))
  expect(model.failures).toEqual([])
  expect(model.requests[1]!.messages[1]).toEqual({
    role: 'assistant',
    text: '',
    reasoning: 'Hm.',
    calls: [{ id: 'call_1_1', tool: 'Bash', arguments: '{}' }],
  })
})

test.each([
  ['that nobody has made', 'resp_none'],
  ['that is the id of an item', 'item'],
])('[CONF-8] a previous response %s is refused with a code, and noted', async (_, id) => {
  const model = play(thinking)
  const [thought] = await answered(model)
  const body = hello({ previous_response_id: id === 'item' ? thought.id : id })
  const response = await askResponses(model, body)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: { code: 'previous_response_not_found' } })
  expect(model.failures).toHaveLength(1)
})

test('[CONF-8] a call of a previous response needs its result in the next', async () => {
  const model = play(thinking)
  const response = (await (await askResponses(model, hello())).json()) as { id: string }
  const next = await askResponses(model, hello({ previous_response_id: response.id }))
  expect(next.status).toBe(400)
  expect(model.failures).toEqual([expect.stringContaining('No tool output found for function call call_1_1')])
})
