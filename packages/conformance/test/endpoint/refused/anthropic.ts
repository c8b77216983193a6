import { WIRES } from '../wires.ts'
import { CLOSED, UNKNOWN, type Row } from './row.ts'

const use = (id: string, input: unknown = {}) => ({ type: 'tool_use', id, name: 'Bash', input })
const result = (id: string, more: object = {}) => ({ type: 'tool_result', tool_use_id: id, content: 'ok', ...more })
const user = (...content: unknown[]) => ({ role: 'user', content })
const assistant = (...content: unknown[]) => ({ role: 'assistant', content })
const system = { role: 'system', content: 'x' }
const text = { type: 'text', text: 'Hello.' }
const thinking = (more: object) => ({ type: 'thinking', thinking: 'Hm.', signature: 'dGhvdWdodDogSG0u', ...more })
const hello = (more: object) => ({ ...WIRES.anthropic.hello, ...more })
const talk = (...messages: unknown[]) => hello({ messages })
const tools = (...all: object[]) => all.map((more) => ({ name: 'Bash', input_schema: { type: 'object' }, ...more }))
const tool = (more: object) => hello({ tools: tools(more) })

/** Requests that are refused. */
export const ANTHROPIC: readonly Row[] = [
  ['without a model', hello({ model: undefined }), 'model is not a string'],
  ['without a limit', hello({ max_tokens: undefined }), 'max_tokens is not a whole number'],
  ['with a limit of 0', hello({ max_tokens: 0 }), 'max_tokens is not a whole number'],
  ['with a field of OpenAI', hello({ stream_options: {} }), `${UNKNOWN}: "stream_options"`],
  ['with a stream that is not a boolean', hello({ stream: 'yes' }), 'stream is not a boolean'],
  ['with a system that is a number', hello({ system: 1 }), 'system is neither a string nor an array'],
  ['with an empty system block', hello({ system: [{ type: 'text', text: '' }] }), 'system[0] is blank'],
  ['without messages', hello({ messages: undefined }), 'messages is not an array'],
  ['with no message', talk(), 'the user must have the first and the last word'],
  ['with a system message alone', talk(system), 'the user must have the first and the last word'],
  ['with a call of the system', talk(user(text), { role: 'system', content: [use('a')] }), 'type is "tool_use"'],
  [
    'with a system message before a result',
    talk(user(text), assistant(use('a')), system, user(result('a'))),
    `messages[2].content comes ${CLOSED}: "a"`,
  ],
  ['with a role of OpenAI', talk(user(text), { role: 'tool', content: 'x' }), 'messages[1].role is "tool"'],
  ['with an empty content', talk(user()), 'messages[0].content is empty'],
  ['with a blank text', talk({ role: 'user', content: ' \n' }), 'messages[0].content is blank'],
  ['with a blank block', talk(user({ type: 'text', text: ' ' })), 'messages[0].content[0] is blank'],
  ['with an unknown block', talk(user({ type: 'text2' })), 'messages[0].content[0].type is "text2"'],
  ['with a call of the user', talk(user(use('a'))), 'messages[0].content[0].type is "tool_use"'],
  ['with a result of the assistant', talk(user(text), assistant(result('a'))), 'type is "tool_result"'],
  ['with an assistant that speaks first', talk(assistant(text), user(text)), 'messages[0]: the user must have'],
  ['with an assistant that speaks last', talk(user(text), assistant(text)), 'messages[1] is the last message'],
  [
    'with an input that is text',
    talk(user(text), assistant(use('a', '{}')), user(result('a'))),
    'input is not an object',
  ],
  [
    'with an input that is a list',
    talk(user(text), assistant(use('a', [])), user(result('a'))),
    'input is not an object',
  ],
  ['with an id of odd letters', talk(user(text), assistant(use('a.b')), user(result('a.b'))), 'id is "a.b"'],
  ['with a call that has no result', talk(user(text), assistant(use('a')), user(text)), `${CLOSED}: "a"`],
  ['with one of two results', talk(user(text), assistant(use('a'), use('b')), user(result('b'))), `${CLOSED}: "a"`],
  [
    'with two results of a call',
    talk(user(text), assistant(use('a')), user(result('a'), result('a'))),
    'content[1] is a result of the call "a"',
  ],
  [
    'with a result of no call',
    talk(user(text), assistant(text), user(result('a'))),
    'a result of the call "a", which waits for none',
  ],
  ['with a result at the beginning', talk(user(result('a'))), 'a result of the call "a", which waits for none'],
  [
    'with a result a turn late',
    talk(user(text), assistant(use('a')), user(text), assistant(text), user(result('a'))),
    `messages[2].content[0] comes ${CLOSED}`,
  ],
  [
    'with a text before a result',
    talk(user(text), assistant(use('a')), user(text, result('a'))),
    `messages[2].content[0] comes ${CLOSED}`,
  ],
  [
    'with two calls of one id',
    talk(user(text), assistant(use('a'), use('a')), user(result('a'))),
    'a second call of the id "a"',
  ],
  [
    'with an id used again',
    talk(user(text), assistant(use('a')), user(result('a')), assistant(use('a')), user(result('a'))),
    'messages[3].content[0] is a second call of',
  ],
  [
    'with a result that is a number',
    talk(user(text), assistant(use('a')), user(result('a', { content: 1 }))),
    'content is neither a string nor an array',
  ],
  [
    'with an odd is_error',
    talk(user(text), assistant(use('a')), user(result('a', { is_error: 'no' }))),
    'is_error is not a boolean',
  ],
  [
    'with thinking of another signature',
    talk(user(text), assistant(thinking({ signature: 's' }), text), user(text)),
    'signature is invalid',
  ],
  [
    'with thinking without a signature',
    talk(user(text), assistant(thinking({ signature: undefined }), text), user(text)),
    'signature is not a string',
  ],
  [
    'with changed thinking',
    talk(user(text), assistant(thinking({ thinking: 'H.' }), text), user(text)),
    '`thinking` blocks cannot be modified',
  ],
  [
    'with changed redacted thinking',
    talk(user(text), assistant({ type: 'redacted_thinking', data: 'x' }, text), user(text)),
    'data is invalid',
  ],
  ['with a tool without a schema', tool({ input_schema: undefined }), 'tools[0].input_schema is not an object'],
  ['with a schema that is not an object', tool({ input_schema: { type: 'string' } }), 'a schema of the type "string"'],
  ['with a tool of OpenAI', tool({ type: 'function' }), 'tools[0].type is "function"'],
  ['with an odd tool name', tool({ name: 'a b' }), 'tools[0].name is "a b"'],
  ['with a tool name of 129 letters', tool({ name: 'a'.repeat(129) }), 'tools[0].name is "aaa'],
  ['with two tools of one name', hello({ tools: tools({}, {}) }), 'tools[1] is the second tool named "Bash"'],
  ['with a choice but no tools', hello({ tool_choice: { type: 'auto' } }), 'tool_choice may only be given'],
  [
    'with an unknown choice',
    hello({ tools: tools({}), tool_choice: { type: 'required' } }),
    'tool_choice.type is "required"',
  ],
  [
    'with a choice that is not offered',
    hello({ tools: tools({}), tool_choice: { type: 'tool', name: 'A' } }),
    '"A", which is not one of the tools',
  ],
]
