import type { ForkRunner, Session } from '@repertoire/core'
import type { ModelMessage } from 'ai'

/**
 * Begins a turn of the session with the message that a run begins with, where it is a person's: what the session has to
 * say of it stands in a message behind it.
 */
export async function withTurn(
  session: Session,
  messages: readonly ModelMessage[],
  options: { readonly fork: ForkRunner; readonly signal: AbortSignal | undefined },
): Promise<ModelMessage[]> {
  const last = messages.at(-1)
  // An answer to a question goes on with a turn that has begun.
  if (last?.role !== 'user' || isOwn(last)) return messages as ModelMessage[]
  const { text } = await session.beginTurn(textOf(last), options)
  return text === undefined
    ? (messages as ModelMessage[])
    : [...messages, { role: 'user', content: text, providerOptions: OWN }]
}

/** Marks what the session said, for a run that begins with stored messages. No provider of this name is sent it. */
const OWN = { repertoire: { from: 'skills' } }

function isOwn({ providerOptions }: ModelMessage): boolean {
  return providerOptions?.['repertoire']?.['from'] === OWN.repertoire.from
}

function textOf({ content }: Extract<ModelMessage, { role: 'user' }>): string {
  if (typeof content === 'string') return content
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}
