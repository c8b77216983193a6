import type { WireRequest } from '../../src/endpoint/wire.ts'
import { type Wire, WIRES } from './wires.ts'

/** A signature that the endpoint has made. */
const SIGNATURE = Buffer.from('thought: Hm.').toString('base64')
const TWO_CALLS = [
  { id: 'a', tool: 'Bash', arguments: '{"command":"ls"}' },
  { id: 'b', tool: 'Read', arguments: '{}' },
]

/** The same conversation in the words of each vendor, and what is particular to it. */
export const CONVERSATIONS: readonly (readonly [Wire, object, Omit<WireRequest, 'raw' | 'stream'>])[] = [
  [
    WIRES.openai,
    {
      tools: [
        {
          type: 'function',
          function: { name: 'Bash', description: 'Runs a command.', parameters: { type: 'object', properties: {} } },
        },
        { type: 'function', function: { name: 'Now' } },
      ],
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Look.' },
        {
          role: 'assistant',
          content: null,
          reasoning_content: 'Hm.',
          tool_calls: TWO_CALLS.map(({ id, tool, arguments: written }) => ({
            id,
            type: 'function',
            function: { name: tool, arguments: written },
          })),
        },
        { role: 'tool', tool_call_id: 'b', content: 'no file' },
        {
          role: 'tool',
          tool_call_id: 'a',
          content: [
            { type: 'text', text: 'two ' },
            { type: 'text', text: 'parts' },
          ],
        },
        { role: 'developer', content: [{ type: 'text', text: 'Be kind.' }] },
        { role: 'assistant', content: 'Done.', tool_calls: null, refusal: null },
        { role: 'assistant', content: null, refusal: 'No.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'And ' },
            { type: 'image_url', image_url: {} },
            { type: 'text', text: 'this?' },
          ],
        },
      ],
    },
    {
      system: 'Be brief.\n\nBe kind.',
      tools: [
        { name: 'Bash', description: 'Runs a command.', inputSchema: { type: 'object', properties: {} } },
        { name: 'Now', description: '', inputSchema: { type: 'object', properties: {} } },
      ],
      messages: [
        { role: 'user', text: 'Look.' },
        { role: 'assistant', text: '', reasoning: 'Hm.', calls: TWO_CALLS },
        { role: 'tool', text: 'no file', callId: 'b' },
        { role: 'tool', text: 'two parts', callId: 'a' },
        { role: 'assistant', text: 'Done.' },
        { role: 'assistant', text: 'No.' },
        { role: 'user', text: 'And this?' },
      ],
    },
  ],
  [
    WIRES.responses,
    {
      instructions: 'Be brief.',
      tools: [
        {
          type: 'function',
          name: 'Bash',
          description: 'Runs a command.',
          parameters: { type: 'object', properties: {} },
        },
        {
          type: 'function',
          name: 'Read',
          strict: true,
          parameters: { type: 'object', properties: { p: {} }, required: ['p'], additionalProperties: false },
        },
        { type: 'function', name: 'Now', parameters: null, strict: null },
        { type: 'apply_patch' },
      ],
      tool_choice: { type: 'function', name: 'Read' },
      input: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Look.' },
        {
          type: 'message',
          role: 'user',
          content: [
            { type: 'input_text', text: 'Twice' },
            { type: 'input_image', image_url: 'data:image/png;base64,AA==', detail: 'auto' },
            { type: 'input_file', file_id: 'file-1' },
            { type: 'input_text', text: '!' },
          ],
        },
        {
          type: 'message',
          role: 'assistant',
          id: 'msg_1',
          content: [
            { type: 'output_text', text: 'Two looks. ' },
            { type: 'refusal', refusal: 'No.' },
          ],
        },
        { type: 'function_call', id: 'fc_1', call_id: 'a', name: 'Bash', arguments: '{"command":"ls"}' },
        { type: 'function_call', call_id: 'b', name: 'Read', arguments: '{}' },
        {
          type: 'function_call_output',
          call_id: 'b',
          output: [
            { type: 'input_text', text: 'no ' },
            { type: 'input_text', text: 'file' },
          ],
        },
        { type: 'function_call_output', call_id: 'a', output: '' },
        { role: 'assistant', content: 'Nothing.' },
        { role: 'assistant', content: 'At all.' },
        { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Mind the budget.' }] },
        { role: 'user', content: 'Go on.' },
      ],
    },
    {
      system: 'Be brief.\n\nBe kind.\n\nMind the budget.',
      tools: [
        { name: 'Bash', description: 'Runs a command.', inputSchema: { type: 'object', properties: {} } },
        {
          name: 'Read',
          description: '',
          inputSchema: { type: 'object', properties: { p: {} }, required: ['p'], additionalProperties: false },
        },
        { name: 'Now', description: '', inputSchema: { type: 'object', properties: {} } },
        { name: 'apply_patch', description: '', inputSchema: { type: 'object' } },
      ],
      messages: [
        { role: 'user', text: 'Look.' },
        { role: 'user', text: 'Twice!' },
        { role: 'assistant', text: 'Two looks. No.', calls: TWO_CALLS },
        { role: 'tool', text: 'no file', callId: 'b' },
        { role: 'tool', text: '', callId: 'a' },
        { role: 'assistant', text: 'Nothing.' },
        { role: 'assistant', text: 'At all.' },
        { role: 'user', text: 'Go on.' },
      ],
    },
  ],
  [
    WIRES.anthropic,
    {
      system: [
        { type: 'text', text: 'Be brief', cache_control: { type: 'ephemeral' } },
        { type: 'text', text: '.' },
      ],
      tools: [
        { name: 'Bash', description: 'Runs a command.', input_schema: { type: 'object', properties: {} } },
        { type: 'custom', name: 'Read', input_schema: { type: 'object', required: ['p'] } },
      ],
      tool_choice: { type: 'tool', name: 'Read' },
      messages: [
        { role: 'user', content: 'Look.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Twice' },
            { type: 'image', source: {} },
            { type: 'text', text: '!' },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm.', signature: SIGNATURE },
            { type: 'text', text: 'Two looks.' },
            { type: 'tool_use', id: 'a', name: 'Bash', input: { command: 'ls' } },
          ],
        },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'b', name: 'Read', input: {} }] },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'b',
              is_error: true,
              content: [
                { type: 'text', text: 'no ' },
                { type: 'text', text: 'file' },
              ],
            },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'a' },
            { type: 'text', text: 'Go on.' },
          ],
        },
        {
          role: 'system',
          content: [
            { type: 'text', text: 'Mind the ' },
            { type: 'text', text: 'budget.' },
          ],
        },
      ],
    },
    {
      system: 'Be brief.\n\nMind the budget.',
      tools: [
        { name: 'Bash', description: 'Runs a command.', inputSchema: { type: 'object', properties: {} } },
        { name: 'Read', description: '', inputSchema: { type: 'object', required: ['p'] } },
      ],
      messages: [
        { role: 'user', text: 'Look.' },
        { role: 'user', text: 'Twice!' },
        { role: 'assistant', text: 'Two looks.', reasoning: 'Hm.', calls: [TWO_CALLS[0]!] },
        { role: 'assistant', text: '', calls: [TWO_CALLS[1]!] },
        { role: 'tool', text: 'no file', callId: 'b' },
        { role: 'tool', text: '', callId: 'a' },
        { role: 'user', text: 'Go on.' },
      ],
    },
  ],
  [
    WIRES.gemini,
    {
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
                  path: { type: 'STRING', minLength: '1', enum: ['a'], format: 'enum' },
                  all: { type: 'ARRAY', items: { type: 'INTEGER', format: 'int32' } },
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
        {
          role: 'user',
          parts: [{ text: 'Twice' }, { inlineData: { mimeType: 'image/png', data: 'AA==' } }, { text: '!' }],
        },
        {
          role: 'model',
          parts: [
            { text: 'Hm.', thought: true },
            { text: 'Two looks.' },
            { functionCall: { name: 'Bash', args: { command: 'ls' } }, thoughtSignature: SIGNATURE },
            { function_call: { name: 'Now' } },
          ],
        },
        {
          role: 'user',
          parts: [
            { function_response: { name: 'Bash', response: { result: 'a b' } } },
            { functionResponse: { name: 'Now', response: { output: { hour: 1 } } } },
          ],
        },
        { role: 'user', parts: [{ text: 'Go on.' }] },
      ],
    },
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
              path: { type: 'string', minLength: '1', enum: ['a'], format: 'enum' },
              all: { type: 'array', items: { type: 'integer', format: 'int32' } },
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
          reasoning: 'Hm.',
          calls: [
            { id: 'unknown_3_1', tool: 'Bash', arguments: '{"command":"ls"}' },
            { id: 'unknown_3_2', tool: 'Now', arguments: '{}' },
          ],
        },
        { role: 'tool', text: 'a b', callId: 'unknown_3_1' },
        { role: 'tool', text: '{"hour":1}', callId: 'unknown_3_2' },
        { role: 'user', text: 'Go on.' },
      ],
    },
  ],
]
