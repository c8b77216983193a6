import { WIRES } from '../wires.ts'
import { CLOSED, UNKNOWN, type Row } from './row.ts'

const user = { role: 'user', content: 'Hello.' }
const call = (id: string, more: object = {}) => ({
  type: 'function_call',
  call_id: id,
  name: 'Bash',
  arguments: '{}',
  ...more,
})
const output = (id: string, more: object = {}) => ({
  type: 'function_call_output',
  call_id: id,
  output: 'ok',
  ...more,
})
const reasoning = (more: object = {}) => ({ type: 'reasoning', summary: [], ...more })
const hello = (more: object) => ({ ...WIRES.responses.hello, ...more })
const talk = (...input: unknown[]) => hello({ input })
const content = (part: object, role = 'user') => talk({ role, content: [part] })
const tool = (more: object) => hello({ tools: [{ type: 'function', name: 'Bash', ...more }] })
const strict = (properties: object, more: object = {}) =>
  tool({ strict: true, parameters: { type: 'object', properties, ...more } })
const sealed = Buffer.from('thought: Hm.').toString('base64')

/** Requests that are refused. */
export const RESPONSES: readonly Row[] = [
  ['without a model', hello({ model: undefined }), 'model is not a string'],
  ['with a field of chat completions', hello({ messages: [] }), `${UNKNOWN}: "messages"`],
  ['with a limit of chat completions', hello({ max_tokens: 5 }), `${UNKNOWN}: "max_tokens"`],
  ['with a stream that is not a boolean', hello({ stream: 'yes' }), 'stream is not a boolean'],
  ['with a store that is not a boolean', hello({ store: 1 }), 'store is not a boolean'],
  ['with stream options but no stream', hello({ stream_options: {} }), 'only allowed when "stream" is true'],
  ['in the background', hello({ background: true }), 'background is given, which is not served here'],
  ['of a kept conversation', hello({ conversation: 'conv_1' }), 'conversation is given'],
  ['with instructions that are a list', hello({ instructions: [] }), 'instructions is not a string'],
  ['without an input', hello({ input: undefined }), 'One of "input" and "previous_response_id"'],
  ['with an empty input', talk(), 'One of "input" and "previous_response_id"'],
  ['with an input that is an object', hello({ input: {} }), 'input is not an array'],
  ['with an item that is text', talk('Hello.'), 'input[0] is not an object'],
  ['with an unknown item', talk({ type: 'web_search_call' }), 'input[0].type is "web_search_call"'],
  ['with a message of chat completions', talk({ role: 'tool', content: 'x' }), 'input[0].role is "tool"'],
  ['with a part of chat completions', content({ type: 'text', text: 'x' }), 'content[0].type is "text"'],
  [
    'with an input part of the assistant',
    content({ type: 'input_text', text: 'x' }, 'assistant'),
    'Known are output_text, refusal',
  ],
  ['with an output part of the user', content({ type: 'output_text', text: 'x' }), 'type is "output_text"'],
  ['with a part without its text', content({ type: 'input_text' }), 'content[0].text is not a string'],
  ['with a refusal without its text', content({ type: 'refusal', text: 'x' }, 'assistant'), 'refusal is not a string'],
  ['with an image that is none', content({ type: 'input_image' }), 'holds nothing'],
  [
    'with a content that is a number',
    talk({ ...user, content: 1 }),
    'input[0].content is neither a string nor an array',
  ],
  ['with a call that has no result', talk(user, call('a')), `${CLOSED}: "a"`],
  ['with one of two results', talk(user, call('a'), call('b'), output('b')), `${CLOSED}: "a"`],
  ['with a result of no call', talk(user, output('a')), 'input[1] is a result of the call "a", which waits for none'],
  ['with a result before its call', talk(user, output('a'), call('a')), 'input[1] is a result of the call "a"'],
  [
    'with two results of a call',
    talk(user, call('a'), output('a'), output('a')),
    'input[3] is a result of the call "a"',
  ],
  [
    'with two calls of one id',
    talk(user, call('a'), call('a'), output('a'), output('a')),
    'a second call of the id "a"',
  ],
  [
    'with an item twice',
    talk(user, ...[1, 2].flatMap(() => [call('a', { id: 'fc_1' }), output('a')])),
    'input[3] is a duplicate item',
  ],
  ['with the id of a call as that of its item', talk(user, call('a', { id: 'call_a' }), output('a')), 'the form fc…'],
  ['with a message id of a wrong kind', talk({ role: 'assistant', id: 'chatcmpl-1', content: 'x' }), 'the form msg…'],
  [
    'with a call_id of 65 characters',
    talk(user, call('a'.repeat(65)), output('a'.repeat(65))),
    'of at most 64 characters',
  ],
  ['with a call without a name', talk(user, call('a', { name: '' }), output('a')), 'input[1].name is empty'],
  [
    'with arguments that are an object',
    talk(user, call('a', { arguments: {} }), output('a')),
    'arguments is not a string',
  ],
  ['with arguments that are not JSON', talk(user, call('a', { arguments: '{' }), output('a')), 'not a JSON object'],
  [
    'with a result that is an object',
    talk(user, call('a'), output('a', { output: {} })),
    'output is neither a string nor an array',
  ],
  ['with a result without a call_id', talk(user, call('a'), output('')), 'call_id is empty'],
  ['with odd reasoning', talk(user, reasoning({ id: 'rs_1', encrypted_content: 'x' })), 'could not be verified'],
  ['with reasoning at the end', talk(user, reasoning({ encrypted_content: sealed })), 'its required following item'],
  ['with reasoning that is nothing', talk(user, reasoning()), 'no "encrypted_content", and its id is not a string'],
  ['with reasoning without a summary', talk(user, { type: 'reasoning', id: 'rs_1' }), 'summary is not an array'],
  [
    'with a summary that is text',
    talk(user, reasoning({ summary: [{ type: 'text', text: 'x' }] })),
    'Known are summary_text',
  ],
  ['with a tool of chat completions', hello({ tools: [{ type: 'function', function: {} }] }), 'tools[0].name is not'],
  ['with a tool that the vendor runs', hello({ tools: [{ type: 'web_search' }] }), 'tools[0].type is "web_search"'],
  ['with a schema that is not an object', tool({ parameters: { type: 'string' } }), 'a schema of the type "string"'],
  ['with an odd tool name', tool({ name: 'a b' }), 'tools[0].name is "a b"'],
  ['with a description that is a list', tool({ description: [] }), 'description is not a string'],
  [
    'with two tools of one name',
    hello({ tools: [1, 2].map(() => ({ type: 'function', name: 'A' })) }),
    'second tool named "A"',
  ],
  ['with a strict tool that allows more', strict({}), 'lacks "additionalProperties": false'],
  [
    'with a strict tool that leaves something out',
    strict({ a: {} }, { additionalProperties: false }),
    'lacks "a" in "required"',
  ],
  ['with an unknown choice', hello({ tool_choice: 'any' }), 'tool_choice is "any"'],
  ['with a choice of chat completions', hello({ tool_choice: { type: 'tool' } }), 'tool_choice.type is "tool"'],
  [
    'with a choice that is not offered',
    hello({ tool_choice: { type: 'function', name: 'A' } }),
    '"A", which is not one of the tools',
  ],
]
