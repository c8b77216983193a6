import type { Message } from '../src/model.ts'

/** A conversation up to the results of two calls, the second of which has an input that is not JSON. */
export function readTwice(content: string): readonly Message[] {
  return [
    { role: 'user', content: 'Hello' },
    {
      role: 'assistant',
      content,
      calls: [
        { id: 'a', tool: 'Read', input: { b: 1, a: [null] } },
        { id: 'b', tool: 'Read', input: '{"broken": ' },
      ],
    },
    { role: 'tool', callId: 'a', tool: 'Read', content: 'text', isError: false },
    { role: 'tool', callId: 'b', tool: 'Read', content: 'refused', isError: true },
  ]
}
