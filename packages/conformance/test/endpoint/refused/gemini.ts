import { WIRES } from '../wires.ts'
import { CLOSED, UNKNOWN, type Row } from './row.ts'

const user = (...parts: unknown[]) => ({ role: 'user', parts })
const model = (...parts: unknown[]) => ({ role: 'model', parts })
const text = { text: 'Hello.' }
const called = (name: string, args: unknown = {}, more: object = {}) => ({
  functionCall: { name, args, ...more },
  thoughtSignature: 'c2lnbmVk',
})
const gave = (name: string, response: unknown = { output: 'ok' }, more: object = {}) => ({
  functionResponse: { name, response, ...more },
})
const hello = (more: object) => ({ ...WIRES.gemini.hello, ...more })
const talk = (...contents: unknown[]) => hello({ contents })
const tools = (...functionDeclarations: object[]) => hello({ tools: [{ functionDeclarations }] })
const declared = (declaration: object) => tools({ name: 'A', ...declaration })
const parameters = (properties: object, more: object = {}) =>
  declared({ parameters: { type: 'object', properties, ...more } })
const a = (schema: object) => parameters({ a: schema })
const calling = (functionCallingConfig: object) => hello({ toolConfig: { functionCallingConfig } })
const inA = 'tools[0].parameters.properties[a]'

/** Requests that are refused. */
export const GEMINI: readonly Row[] = [
  ['without contents', {}, 'contents is not an array'],
  ['with no content', talk(), 'contents is empty'],
  ['with a field of OpenAI', hello({ messages: [] }), `${UNKNOWN}: "messages"`],
  ['with an unknown field that is null', hello({ messages: null }), `${UNKNOWN}: "messages"`],
  ['with a field in two spellings', hello({ toolConfig: {}, tool_config: {} }), 'a field in two spellings'],
  ['with an unknown role', talk({ role: 'assistant', parts: [text] }), 'role is "assistant"'],
  [
    'with an unknown field of a content',
    talk({ ...user(text), content: 'x' }),
    'contents[0] has an unknown field: "content"',
  ],
  ['without parts', talk({ role: 'user' }), 'contents[0].parts is not an array'],
  ['with no part', talk(user()), 'contents[0].parts is empty'],
  ['with an empty part', talk(user({})), 'parts[0] holds nothing'],
  ['with a part of two kinds', talk(user({ text: 'x', inlineData: {} })), 'holds inlineData and text'],
  ['with an unknown kind of part', talk(user({ type: 'text', text: 'x' })), 'parts[0] has an unknown field: "type"'],
  ['with a text that is none', talk(user({ text: 7 })), 'parts[0].text is not a string'],
  ['with a call of the user', talk(user(called('A')), user(gave('A'))), 'contents[0] has what is not its own'],
  [
    'with a response of the model',
    talk(user(text), model(called('A')), model(gave('A'))),
    'contents[2] has what is not its own',
  ],
  ['with a text beside a response', talk(user(text), model(called('A')), user(text, gave('A'))), 'a text beside'],
  [
    'with arguments that are text',
    talk(user(text), model(called('A', '{}')), user(gave('A'))),
    'args is not an object',
  ],
  [
    'with arguments that are a list',
    talk(user(text), model(called('A', [])), user(gave('A'))),
    'args is not an object',
  ],
  [
    'with a response that is text',
    talk(user(text), model(called('A')), user(gave('A', 'ok'))),
    'response is not an object',
  ],
  [
    'with a call without a response',
    talk(user(text), model(called('A')), user(text)),
    `contents[2].parts[0] comes ${CLOSED}`,
  ],
  ['with a call at the end', talk(user(text), model(called('A'))), `The end of the conversation comes ${CLOSED}`],
  ['with a call at the beginning', talk(model(called('A')), user(gave('A'))), 'comes neither behind the user'],
  ['with a call behind the model', talk(user(text), model(text), model(called('A')), user(gave('A'))), 'comes neither'],
  ['with a response to nothing', talk(user(text), user(gave('A'))), 'a result of "A", and no such call'],
  [
    'with responses in two contents',
    talk(user(text), model(called('A'), called('B')), user(gave('A')), user(gave('B'))),
    `The end of contents[2] comes ${CLOSED}`,
  ],
  [
    'with a response too many',
    talk(user(text), model(called('A')), user(gave('A'), gave('A'))),
    'parts[1] is a result of "A"',
  ],
  [
    'with a response of another name',
    talk(user(text), model(called('A')), user(gave('B'))),
    'a result of "B", and no such call',
  ],
  [
    'with a response of an unknown id',
    talk(user(text), model(called('A', {}, { id: 'x' })), user(gave('A', {}, { id: 'y' }))),
    'a result of "A", and no such call',
  ],
  [
    'with the id of a call of another name',
    talk(user(text), model(called('A', {}, { id: 'x' })), user(gave('B', {}, { id: 'x' }))),
    'a result of "B", and no such call',
  ],
  ['with an odd function name', declared({ name: '1st' }), 'name is "1st"'],
  ['with a function name of 65 letters', declared({ name: 'a'.repeat(65) }), 'name is "aaa'],
  ['with a function declared twice', tools({ name: 'A' }, { name: 'A' }), 'second tool named "A"'],
  [
    'with a tool of the vendor',
    hello({ tools: [{ googleSearch: {} }] }),
    'tools[0] has an unknown field: "googleSearch"',
  ],
  ['with a tool of OpenAI', hello({ tools: [{ type: 'function' }] }), 'tools[0] has an unknown field: "type"'],
  [
    'with both kinds of parameters',
    declared({ parameters: { type: 'object' }, parametersJsonSchema: { type: 'object' } }),
    'one of the two',
  ],
  [
    'with parameters that are not an object',
    declared({ parameters: { type: 'string' } }),
    'a schema of the type "string"',
  ],
  [
    'with a JSON Schema that is not an object',
    declared({ parametersJsonSchema: { type: 'array' } }),
    'a schema of the type "array"',
  ],
  [
    'with additionalProperties',
    parameters({}, { additionalProperties: false }),
    'parameters has an unknown field: "additionalProperties"',
  ],
  ['with $schema', parameters({}, { $schema: 'x' }), 'an unknown field: "$schema"'],
  ['with const below', a({ const: 'x' }), `${inA} has an unknown field: "const"`],
  ['with oneOf below', a({ oneOf: [] }), `${inA} has an unknown field: "oneOf"`],
  ['with $ref in items', a({ type: 'array', items: { $ref: '#' } }), `${inA}.items has an unknown field: "$ref"`],
  [
    'with exclusiveMinimum in anyOf',
    a({ anyOf: [{ exclusiveMinimum: 1 }] }),
    `${inA}.anyOf[0] has an unknown field: "exclusiveMinimum"`,
  ],
  ['with several types', a({ type: ['string', 'null'] }), `${inA}.type is not a string`],
  ['with an unknown type', a({ type: 'any' }), 'type is "any"'],
  ['with an array without items', a({ type: 'array' }), 'items: missing field'],
  [
    'with properties of a text',
    a({ type: 'string', properties: {} }),
    'properties is only allowed for the type object',
  ],
  ['with an enum of a number', a({ type: 'number', enum: ['1'] }), 'enum is only allowed for the type string'],
  ['with a number in an enum', a({ type: 'string', enum: [1] }), 'enum[0] is not a string'],
  ['with an empty text in an enum', a({ type: 'string', enum: [''] }), 'enum[0] is empty'],
  ['with a format of JSON Schema', a({ type: 'string', format: 'uri' }), 'format is "uri"'],
  [
    'with a required property that is none',
    parameters({ a: { type: 'string' } }, { required: ['b'] }),
    'required[0] is "b"',
  ],
  ['with an unknown calling mode', calling({ mode: 'auto' }), 'mode is "auto"'],
  [
    'with an undeclared allowed function',
    calling({ allowedFunctionNames: ['B'] }),
    '"B", which is not one of the tools',
  ],
]
