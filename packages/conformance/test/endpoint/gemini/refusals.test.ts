import { expect, test } from 'vitest'
import { askGemini, useEndpoint } from '../vendors.ts'
import { called, gave, hello, model, talk, text, textOf, user } from './talk.ts'
import type { Play } from '../../../src/endpoint/play.ts'
import type { ScriptStep } from '../../../src/endpoint/script.ts'

const endpoint = useEndpoint()
const play = (...script: ScriptStep[]): Play => endpoint().play(script, { protocol: 'gemini' })

const declared = (declaration: object) => hello({ tools: [{ functionDeclarations: [{ name: 'A', ...declaration }] }] })
const parameters = (properties: object, more: object = {}) =>
  declared({ parameters: { type: 'object', properties, ...more } })

test.each<[string, unknown, RegExp]>([
  ['that is not JSON', '{"contents":', /is not JSON/],
  ['that is not an object', '[]', /not a JSON object/],
  ['without contents', {}, /contents is not an array/],
  ['with no content', talk(), /contents is not specified/],
  ['with a field of OpenAI', hello({ messages: [] }), /Unknown name "messages" at '': Cannot find field/],
  ['with a field in two spellings', hello({ toolConfig: {}, tool_config: {} }), /"toolConfig" at '' is given twice/],
  ['with an unknown role', talk({ role: 'assistant', parts: [text] }), /role is "assistant"/],
  [
    'with an unknown field of a content',
    talk({ ...user(text), content: 'x' }),
    /Unknown name "content" at 'contents\[0\]'/,
  ],
  ['without parts', talk({ role: 'user' }), /contents\[0\]\.parts is not an array/],
  ['with no part', talk(user()), /contents\[0\]\.parts is empty/],
  ['with an empty part', talk(user({})), /parts\[0\] holds nothing/],
  ['with a part of two kinds', talk(user({ text: 'x', inlineData: {} })), /holds inlineData and text/],
  ['with an unknown kind of part', talk(user({ type: 'text', text: 'x' })), /Unknown name "type"/],
  ['with a text that is none', talk(user({ text: 7 })), /parts\[0\]\.text is not a string/],
  ['with a call of the user', talk(user(called('A')), user(gave('A'))), /has a functionCall, which is the model's/],
  ['with a response of the model', talk(user(text), model(called('A')), model(gave('A'))), /which is the user's/],
  ['with a text beside a response', talk(user(text), model(called('A')), user(text, gave('A'))), /a text beside/],
  [
    'with arguments that are text',
    talk(user(text), model(called('A', '{}')), user(gave('A'))),
    /args is not an object/,
  ],
  [
    'with arguments that are a list',
    talk(user(text), model(called('A', [])), user(gave('A'))),
    /args is not an object/,
  ],
  [
    'with a response that is text',
    talk(user(text), model(called('A')), user(gave('A', 'ok'))),
    /response is not an object/,
  ],
  ['with a call without a response', talk(user(text), model(called('A')), user(text)), /0 of the 1 functionResponses/],
  ['with a call at the end', talk(user(text), model(called('A'))), /end with 1 functionCalls and no/],
  ['with a call at the beginning', talk(model(called('A')), user(gave('A'))), /comes neither behind the user/],
  ['with a call behind the model', talk(user(text), model(text), model(called('A')), user(gave('A'))), /comes neither/],
  ['with a response to nothing', talk(user(text), user(gave('A'))), /no functionCall comes before it/],
  [
    'with responses in two contents',
    talk(user(text), model(called('A'), called('B')), user(gave('A')), user(gave('B'))),
    /contents\[2\] has 1 of the 2 functionResponses/,
  ],
  ['with a response too many', talk(user(text), model(called('A')), user(gave('A'), gave('A'))), /2 of the 1/],
  ['with a response of another name', talk(user(text), model(called('A')), user(gave('B'))), /is of "B", which is not/],
  [
    'with a response of an unknown id',
    talk(
      user(text),
      model({ ...called('A'), functionCall: { id: 'x', name: 'A' } }),
      user(gave('A', { output: 'ok' }, { id: 'y' })),
    ),
    /is of "A" \("y"\), which is not called before it/,
  ],
  ['with an odd function name', declared({ name: '1st' }), /name is "1st"/],
  ['with a function name of 65 letters', declared({ name: 'a'.repeat(65) }), /name is "aaa/],
  [
    'with a function declared twice',
    hello({ tools: [{ functionDeclarations: [{ name: 'A' }, { name: 'A' }] }] }),
    /second declaration of "A"/,
  ],
  [
    'with a tool of the vendor',
    hello({ tools: [{ googleSearch: {} }] }),
    /Unknown name "googleSearch" at 'tools\[0\]'/,
  ],
  ['with a tool of OpenAI', hello({ tools: [{ type: 'function' }] }), /Unknown name "type" at 'tools\[0\]'/],
  [
    'with both kinds of parameters',
    declared({ parameters: { type: 'object' }, parametersJsonSchema: { type: 'object' } }),
    /one of the two/,
  ],
  [
    'with parameters that are not an object',
    declared({ parameters: { type: 'string' } }),
    /parameters\.type is "string"/,
  ],
  [
    'with a JSON Schema that is not an object',
    declared({ parametersJsonSchema: { type: 'array' } }),
    /json_schema\.type is "array"/,
  ],
  [
    'with additionalProperties',
    parameters({}, { additionalProperties: false }),
    /Unknown name "additionalProperties" at 'tools\[0\]\.function_declarations\[0\]\.parameters'/,
  ],
  ['with $schema', parameters({}, { $schema: 'x' }), /Unknown name "\$schema"/],
  ['with const below', parameters({ a: { const: 'x' } }), /Unknown name "const" at '.*parameters\.properties\[a\]'/],
  ['with oneOf below', parameters({ a: { oneOf: [] } }), /Unknown name "oneOf"/],
  [
    'with $ref in items',
    parameters({ a: { type: 'array', items: { $ref: '#' } } }),
    /Unknown name "\$ref" at '.*\.items'/,
  ],
  ['with exclusiveMinimum in anyOf', parameters({ a: { anyOf: [{ exclusiveMinimum: 1 }] } }), /any_of\[0\]'/],
  ['with several types', parameters({ a: { type: ['string', 'null'] } }), /type is a list/],
  ['with an unknown type', parameters({ a: { type: 'any' } }), /type is "any"/],
  ['with an array without items', parameters({ a: { type: 'array' } }), /items: missing field/],
  ['with properties of a text', parameters({ a: { type: 'string', properties: {} } }), /only allowed for OBJECT type/],
  ['with an enum of numbers', parameters({ a: { type: 'number', enum: [1] } }), /enum: only allowed for STRING type/],
  ['with an empty text in an enum', parameters({ a: { type: 'string', enum: [''] } }), /enum\[0\]: cannot be empty/],
  ['with a format of JSON Schema', parameters({ a: { type: 'string', format: 'uri' } }), /only 'enum' and 'date-time'/],
  [
    'with a required property that is none',
    parameters({ a: { type: 'string' } }, { required: ['b'] }),
    /required\[0\]: property is not/,
  ],
  [
    'with an unknown calling mode',
    hello({ toolConfig: { functionCallingConfig: { mode: 'auto' } } }),
    /mode is "auto"/,
  ],
  [
    'with an undeclared allowed function',
    hello({ toolConfig: { functionCallingConfig: { allowedFunctionNames: ['B'] } } }),
    /has "B", which is not/,
  ],
])('[LLM-1] requests are refused %s as Gemini refuses, and noted', async (_, body, message) => {
  const script = play({ text: 'Not played.' })
  const response = await askGemini(script, body)
  expect(response.status).toBe(400)
  expect(await response.json()).toEqual({
    error: { code: 400, status: 'INVALID_ARGUMENT', message: expect.stringMatching(message) },
  })
  expect(script.failures).toEqual([expect.stringMatching(message)])
  expect(script.requests).toEqual([])
  expect(textOf([await (await askGemini(script, hello())).json()])).toBe('Not played.')
})
