import { WIRES } from '../wires.ts'
import { CLOSED, type Row } from './row.ts'

const user = { role: 'user', content: 'Look.' }
const call = (id: string, more: object = {}) => ({
  id,
  type: 'function',
  function: { name: 'Bash', arguments: '{}', ...more },
})
const calls = (...made: unknown[]) => ({ role: 'assistant', content: null, tool_calls: made })
const asks = (...ids: string[]) => calls(...ids.map((id) => call(id)))
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'done' })
const hello = (more: object) => ({ ...WIRES.openai.hello, ...more })
const talk = (...messages: unknown[]) => hello({ messages })
const bash = { type: 'function', function: { name: 'Bash' } }
const tool = (declared: object) => hello({ tools: [{ type: 'function', function: declared }] })

/** Requests that are refused. */
export const OPENAI: readonly Row[] = [
  ['without a model', { messages: [user] }, 'model is not a string'],
  ['without messages', { model: 'm' }, 'messages is not an array'],
  ['with a stream that is not a boolean', hello({ stream: 'yes' }), 'stream is not a boolean'],
  ['with stream options but no stream', hello({ stream_options: {} }), 'only allowed when "stream" is true'],
  ['with no message', talk(), 'messages is empty'],
  ['with a message that is text', talk('hi'), 'messages[0] is not an object'],
  ['with an unknown role', talk({ role: 'function', content: '' }), 'messages[0].role is "function"'],
  ['with a role of a prototype', talk({ role: 'constructor', content: '' }), 'messages[0].role is "constructor"'],
  ['without a content', talk({ role: 'user' }), 'messages[0].content is neither a string nor an array'],
  ['with an empty content', talk({ role: 'user', content: [] }), 'messages[0].content is empty'],
  ['with a part that is text', talk({ role: 'user', content: ['x'] }), 'messages[0].content[0] is not an object'],
  ['with a text without text', talk({ role: 'user', content: [{ type: 'text' }] }), 'content[0].text is not a string'],
  [
    'with an assistant that says nothing',
    talk(user, { role: 'assistant', content: null }),
    'messages[1].content is neither',
  ],
  [
    'with reasoning that is a list',
    talk(user, { role: 'assistant', content: '', reasoning_content: [] }),
    'not a string',
  ],
  [
    'with an empty list of calls',
    talk(user, { role: 'assistant', content: '', tool_calls: [] }),
    'tool_calls is empty',
  ],
  ['with a call without a type', talk(calls({ id: 'a' })), 'tool_calls[0].type is undefined'],
  ['with a call without an id', talk(user, asks('')), 'tool_calls[0].id is empty'],
  ['with arguments that are an object', talk(calls(call('a', { arguments: {} }))), 'arguments is not a string'],
  ...['', ' ', 'ls', '["ls"]', 'null', '{"a":'].map((text): Row => [
    `with the arguments ${JSON.stringify(text)}`,
    talk(calls(call('a', { arguments: text }))),
    `arguments is ${JSON.stringify(text)}, which is not a JSON object`,
  ]),
  ['with a result without an id', talk(user, asks('a'), { role: 'tool', content: '' }), 'messages[2].tool_call_id is'],
  [
    'with a call without a result',
    talk(user, asks('a', 'b'), result('a')),
    `The end of the conversation comes ${CLOSED}: "b"`,
  ],
  [
    'with a call that a user interrupts',
    talk(user, asks('a'), user, result('a')),
    `messages[2].content comes ${CLOSED}: "a"`,
  ],
  [
    'with a call that a system message interrupts',
    talk(user, asks('a'), { role: 'system', content: 'x' }, result('a')),
    CLOSED,
  ],
  [
    'with a call that the assistant interrupts',
    talk(user, asks('a'), asks('b'), result('a'), result('b')),
    `messages[2] comes ${CLOSED}`,
  ],
  [
    'with a result of no call',
    talk(user, result('a')),
    'messages[1] is a result of the call "a", which waits for none',
  ],
  [
    'with a result of an older call',
    talk(user, asks('a'), result('a'), asks('b'), result('a'), result('b')),
    'messages[4] is a result of the call "a"',
  ],
  [
    'with two results of one call',
    talk(user, asks('a'), result('a'), result('a')),
    'messages[3] is a result of the call "a"',
  ],
  ['with two calls of one id', talk(user, asks('a', 'a'), result('a')), 'tool_calls[1] is a second call of the id "a"'],
  ['with an empty list of tools', hello({ tools: [] }), 'tools is empty'],
  ['with a tool of another type', hello({ tools: [{ ...bash, type: 'custom' }] }), 'tools[0].type is "custom"'],
  ['with a tool without a name', tool({}), 'tools[0].name is not a string'],
  ['with a name with a dot', tool({ name: 'a.b' }), 'tools[0].name is "a.b"'],
  ['with a name of 65 letters', tool({ name: 'a'.repeat(65) }), 'tools[0].name is "aaa'],
  ['with two tools of one name', hello({ tools: [bash, bash] }), 'tools[1] is the second tool named "Bash"'],
  ['with a description that is a number', tool({ name: 'a', description: 1 }), 'tools[0].description is not a string'],
  ['with parameters of no object', tool({ name: 'a', parameters: {} }), 'a schema of the type undefined, not "object"'],
]
