import { hello } from './ask.ts'
import type { AssistantMessage, Message, ModelAnswer } from '../src/model.ts'

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

/**
 * An answer as a stored conversation sends it back.
 * @param kept how much of the vendor's content is left in a message that lost some of it
 */
export function storedAnswer(answer: ModelAnswer | undefined, kept: number) {
  if (answer?.provider === undefined) throw new Error('The answer has nothing of the vendor to send back.')
  const { text, provider } = answer
  // The loop gives a call an id of its own where one comes twice; and conversations are stored as JSON.
  const stored = JSON.parse(JSON.stringify(provider)) as typeof provider
  const calls = answer.calls.map((call, n) => ({ ...call, id: `own_${n}` }))
  const message = { role: 'assistant', content: text, calls, provider: stored } as const
  const results = calls.map(
    ({ id }) => ({ role: 'tool', callId: id, tool: 'Read', content: id, isError: false }) as const,
  )
  return {
    message,
    /** The same with something else than the vendor's content is of. */
    misfits: [
      { ...message, content: `${text.slice(0, -1)}!` },
      { ...message, provider: { ...stored, vendor: provider.vendor === 'gemini' ? 'anthropic' : 'gemini' } },
      { ...message, provider: { ...stored, content: stored.content.slice(0, kept) } },
      { ...message, calls: calls.slice(0, 1) },
    ],
    /** The conversation with this message or a misfit. */
    around: (said: AssistantMessage): readonly Message[] => [...hello.messages, said, ...results],
  }
}
