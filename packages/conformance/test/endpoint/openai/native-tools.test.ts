import { expect, test } from 'vitest'
import { nativeTools } from '../../../src/endpoint/openai/native-tools.ts'

const user = { role: 'user', content: 'Look.' }
const parameters = { type: 'object', properties: { command: { type: 'string' } } }
const bash = { type: 'function', function: { name: 'Bash', description: 'Runs a command.', parameters } }

function asks(...ids: string[]) {
  const toolCalls = ids.map((id) => ({ id, type: 'function', function: { name: 'Bash', arguments: '{}' } }))
  return { role: 'assistant', content: null, tool_calls: toolCalls }
}

function result(id: string, content: unknown = 'done') {
  return { role: 'tool', tool_call_id: id, content }
}

test('[CONF-1] reads system prompts, tools, calls and results', () => {
  const decoded = nativeTools.decode(
    {
      messages: [
        { role: 'system', content: 'Be brief.' },
        user,
        asks('a', 'b'),
        result('b'),
        result('a', [
          { type: 'text', text: 'two ' },
          { type: 'text', text: 'parts' },
        ]),
        { role: 'developer', content: [{ type: 'text', text: 'Be kind.' }] },
        { role: 'assistant', content: 'Done.', tool_calls: null },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'And ' },
            { type: 'image_url', image_url: {} },
            { type: 'text', text: 'this?' },
          ],
        },
      ],
      tools: [bash, { type: 'function', function: { name: 'Now' } }],
      stream: true,
    },
    [],
  )
  expect(decoded).toEqual({
    system: 'Be brief.\n\nBe kind.',
    tools: [
      { name: 'Bash', description: 'Runs a command.', inputSchema: parameters },
      { name: 'Now', description: '', inputSchema: { type: 'object', properties: {} } },
    ],
    messages: [
      { role: 'user', text: 'Look.' },
      {
        role: 'assistant',
        text: '',
        calls: [
          { id: 'a', tool: 'Bash', arguments: '{}' },
          { id: 'b', tool: 'Bash', arguments: '{}' },
        ],
      },
      { role: 'tool', text: 'done', callId: 'b' },
      { role: 'tool', text: 'two parts', callId: 'a' },
      { role: 'assistant', text: 'Done.' },
      { role: 'user', text: 'And this?' },
    ],
    stream: true,
  })
})

test('[CONF-1] lets an id be used again once its call is answered', () => {
  const messages = [user, asks('a'), result('a'), user, asks('a'), result('a')]
  expect(nativeTools.decode({ messages }, []).messages).toHaveLength(6)
})

test.each<[string, readonly unknown[], string]>([
  ['no message', [], '"messages" is empty'],
  ['a message that is not an object', ['hi'], 'messages[0] is not an object'],
  ['an unknown role', [{ role: 'function', content: '' }], 'messages[0].role is "function"'],
  ['a role of a prototype', [{ role: 'constructor', content: '' }], 'messages[0].role is "constructor"'],
  ['no content', [{ role: 'user' }], 'messages[0].content is neither'],
  ['a part that is not an object', [{ role: 'user', content: ['x'] }], 'messages[0].content[0] is not an object'],
  ['a text part without text', [{ role: 'user', content: [{ type: 'text' }] }], 'messages[0].content[0].text'],
  ['an assistant that says nothing', [user, { role: 'assistant', content: null }], 'messages[1].content is neither'],
  ['an empty list of calls', [user, { role: 'assistant', content: '', tool_calls: [] }], 'tool_calls is empty'],
  ['a call without a type', [{ ...asks('a'), tool_calls: [{ id: 'a' }] }], 'tool_calls[0].type is undefined'],
  [
    'arguments that are not a string',
    [{ ...asks('a'), tool_calls: [{ id: 'a', type: 'function', function: { name: 'Bash', arguments: {} } }] }],
    'tool_calls[0].function.arguments is not a string',
  ],
  ...['', ' ', 'ls', '["ls"]', 'null', '{"a":'].map((text): [string, readonly unknown[], string] => [
    `the arguments ${JSON.stringify(text)}`,
    [{ ...asks('a'), tool_calls: [{ id: 'a', type: 'function', function: { name: 'Bash', arguments: text } }] }],
    `tool_calls[0].function.arguments is ${JSON.stringify(text)}, which is not a JSON object`,
  ]),
  ['a result without an id', [user, asks('a'), { role: 'tool', content: '' }], 'messages[2].tool_call_id'],
  [
    'a call without a result',
    [user, asks('a', 'b'), result('a')],
    '"b" is a call without a tool message before the end',
  ],
  ['a call that a user interrupts', [user, asks('a'), user, result('a')], 'without a tool message before messages[2]'],
  ['a result of no call', [user, result('a')], 'messages[1] answers the call "a", which'],
  [
    'a result of an older call',
    [user, asks('a'), result('a'), asks('b'), result('a'), result('b')],
    'messages[4] answers',
  ],
  [
    'two results of one call',
    [user, asks('a'), result('a'), result('a')],
    'messages[3] is a second result of the call "a"',
  ],
  ['two calls of one id', [user, asks('a', 'a'), result('a')], 'messages[1] makes two calls of one id'],
])('[CONF-1] refuses %s', (_, messages, message) => {
  expect(() => nativeTools.decode({ messages }, [])).toThrow(message)
})

test.each<[string, readonly unknown[], string]>([
  ['an empty list', [], '"tools" is empty'],
  ['another type', [{ ...bash, type: 'custom' }], 'tools[0].type is "custom"'],
  ['no name', [{ type: 'function', function: {} }], 'tools[0].function.name is not a string'],
  ['a name with a dot', [{ type: 'function', function: { name: 'a.b' } }], 'tools[0] is named "a.b"'],
  ['one name twice', [bash, bash], 'tools[1] is the second tool named "Bash"'],
  [
    'a description that is not a string',
    [{ type: 'function', function: { name: 'a', description: 1 } }],
    'description is no',
  ],
  ['parameters of no object', [{ type: 'function', function: { name: 'a', parameters: {} } }], 'is of type undefined'],
])('[CONF-1] refuses tools with %s', (_, tools, message) => {
  expect(() => nativeTools.decode({ messages: [user], tools }, [])).toThrow(message)
})

test('[CONF-1] writes text and calls', () => {
  const call = { id: 'a', tool: 'Bash', arguments: '{}' }
  expect(nativeTools.encode({ text: 'Hi.', calls: [] })).toEqual({ content: 'Hi.' })
  expect(nativeTools.encode({ calls: [call] })).toEqual({ content: null, toolCalls: [call] })
  expect(nativeTools.encode({ text: 'Hi.', calls: [call] })).toEqual({ content: 'Hi.', toolCalls: [call] })
})
