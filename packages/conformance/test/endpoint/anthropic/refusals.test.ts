import { expect, test } from 'vitest'
import { askAnthropic, useEndpoint } from '../vendors.ts'
import { hello } from './talk.ts'
import type { Play } from '../../../src/endpoint/play.ts'
import type { ScriptStep } from '../../../src/endpoint/script.ts'

const endpoint = useEndpoint()
const play = (...script: ScriptStep[]): Play => endpoint().play(script, { protocol: 'anthropic' })

const use = (id: string, input: unknown = {}) => ({ type: 'tool_use', id, name: 'Bash', input })
const result = (id: string, more: object = {}) => ({ type: 'tool_result', tool_use_id: id, content: 'ok', ...more })
const user = (...content: unknown[]) => ({ role: 'user', content })
const assistant = (...content: unknown[]) => ({ role: 'assistant', content })
const text = { type: 'text', text: 'Hello.' }
const talk = (...messages: unknown[]) => hello({ messages })
const tool = (more: object) => hello({ tools: [{ name: 'Bash', input_schema: { type: 'object' }, ...more }] })

test.each<[string, unknown, RegExp]>([
  ['that is not JSON', '{"model":', /is not JSON/],
  ['that is not an object', '[]', /not a JSON object/],
  ['without a model', hello({ model: undefined }), /"model" is not a string/],
  ['without a limit', hello({ max_tokens: undefined }), /"max_tokens" is not a whole number/],
  ['with a limit of 0', hello({ max_tokens: 0 }), /"max_tokens" is not a whole number/],
  ['with a field of OpenAI', hello({ stream_options: {} }), /stream_options: Extra inputs are not permitted/],
  ['with a stream that is not a boolean', hello({ stream: 'yes' }), /"stream" is not a boolean/],
  ['with a system that is a number', hello({ system: 1 }), /"system" is not an array/],
  ['with an empty system block', hello({ system: [{ type: 'text', text: '' }] }), /system\.0\.text is not a string/],
  ['without messages', hello({ messages: undefined }), /"messages" is not an array/],
  ['with no message', talk(), /"messages" is empty/],
  ['with a system message alone', talk({ role: 'system', content: 'x' }), /messages: the user speaks first/],
  ['with a call of the system', talk(user(text), { role: 'system', content: [use('a')] }), /type is "tool_use"/],
  [
    'with a system message before a result',
    talk(user(text), assistant(use('a')), { role: 'system', content: 'x' }, user(result('a'))),
    /"a" is a call without a tool_result before messages\.2/,
  ],
  ['with a role of OpenAI', talk(user(text), { role: 'tool', content: 'x' }), /messages\.1\.role is "tool"/],
  ['with an empty content', talk(user()), /messages\.0\.content is empty/],
  ['with a blank text', talk({ role: 'user', content: ' \n' }), /messages\.0 is blank/],
  ['with a blank block', talk(user({ type: 'text', text: ' ' })), /messages\.0\.content\.0\.text is blank/],
  ['with an unknown block', talk(user({ type: 'text2' })), /messages\.0\.content\.0\.type is "text2"/],
  ['with a call of the user', talk(user(use('a'))), /messages\.0\.content\.0\.type is "tool_use"/],
  ['with a result of the assistant', talk(user(text), assistant(result('a'))), /type is "tool_result"/],
  ['where the assistant speaks first', talk(assistant(text), user(text)), /messages\.0: the user speaks first/],
  ['where the assistant speaks last', talk(user(text), assistant(text)), /messages\.1 is the last message/],
  [
    'with an input that is text',
    talk(user(text), assistant(use('a', '{}')), user(result('a'))),
    /input is not an object/,
  ],
  [
    'with an input that is a list',
    talk(user(text), assistant(use('a', [])), user(result('a'))),
    /input is not an object/,
  ],
  ['with an id of odd letters', talk(user(text), assistant(use('a.b')), user(result('a.b'))), /id is "a\.b"/],
  ['with a call that has no result', talk(user(text), assistant(use('a')), user(text)), /"a" is a call without/],
  ['with one of two results', talk(user(text), assistant(use('a'), use('b')), user(result('b'))), /"a" is a call/],
  [
    'with two results of a call',
    talk(user(text), assistant(use('a')), user(result('a'), result('a'))),
    /a second result/,
  ],
  ['with a result of no call', talk(user(text), assistant(text), user(result('a'))), /answers the call "a"/],
  ['with a result at the beginning', talk(user(result('a'))), /answers the call "a"/],
  [
    'with a result a turn late',
    talk(user(text), assistant(use('a')), user(text), assistant(text), user(result('a'))),
    /"a" is a call without a tool_result before messages\.2\.content\.0/,
  ],
  [
    'with a text before a result',
    talk(user(text), assistant(use('a')), user(text, result('a'))),
    /"a" is a call without/,
  ],
  ['with two calls of one id', talk(user(text), assistant(use('a'), use('a')), user(result('a'))), /a second call of/],
  [
    'with an id used again',
    talk(user(text), assistant(use('a')), user(result('a')), assistant(use('a')), user(result('a'))),
    /makes a second call of the id "a"/,
  ],
  [
    'with a result that is a number',
    talk(user(text), assistant(use('a')), user(result('a', { content: 1 }))),
    /not an array/,
  ],
  [
    'with an odd is_error',
    talk(user(text), assistant(use('a')), user(result('a', { is_error: 'no' }))),
    /not a boolean/,
  ],
  [
    'with thinking of another signature',
    talk(user(text), assistant({ type: 'thinking', thinking: 'Hm.', signature: 's' }, text), user(text)),
    /Invalid `signature` in `thinking` block/,
  ],
  [
    'with thinking without a signature',
    talk(user(text), assistant({ type: 'thinking', thinking: 'Hm.' }, text), user(text)),
    /signature is not a string/,
  ],
  [
    'with changed thinking',
    talk(user(text), assistant({ type: 'thinking', thinking: 'H.', signature: 'dGhvdWdodDogSG0u' }, text), user(text)),
    /`thinking` blocks cannot be modified/,
  ],
  [
    'with changed redacted thinking',
    talk(user(text), assistant({ type: 'redacted_thinking', data: 'x' }, text), user(text)),
    /Invalid `data` in `redacted_thinking` block/,
  ],
  ['with a tool without a schema', tool({ input_schema: undefined }), /tools\.0\.input_schema is not an object/],
  ['with a schema that is not an object', tool({ input_schema: { type: 'string' } }), /input_schema\.type is "string"/],
  ['with a tool of OpenAI', tool({ type: 'function' }), /tools\.0 is of the type "function"/],
  ['with an odd tool name', tool({ name: 'a b' }), /tools\.0\.name is "a b"/],
  ['with a tool name of 129 letters', tool({ name: 'a'.repeat(129) }), /tools\.0\.name is/],
  [
    'with two tools of one name',
    hello({ tools: [1, 2].map(() => ({ name: 'A', input_schema: { type: 'object' } })) }),
    /tools\.1 is the second tool named "A"/,
  ],
  ['with a choice but no tools', hello({ tool_choice: { type: 'auto' } }), /"tool_choice" may only be given/],
  ['with an unknown choice', hello({ tool_choice: { type: 'required' } }), /tool_choice\.type is "required"/],
])('[LLM-1] requests are refused %s as Anthropic refuses, and noted', async (_, body, message) => {
  const model = play({ text: 'Not played.' })
  const response = await askAnthropic(model, body)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    type: 'error',
    error: { type: 'invalid_request_error', message: expect.stringMatching(message) },
  })
  expect(model.failures).toEqual([expect.stringMatching(message)])
  expect(model.requests).toEqual([])
  expect(await (await askAnthropic(model, hello())).json()).toMatchObject({ content: [{ text: 'Not played.' }] })
})
