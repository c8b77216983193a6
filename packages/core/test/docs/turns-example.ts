import type { ForkRunner } from '@repertoire/core'
import type { AdapterSession } from '@repertoire/core/adapter'

interface Message {
  readonly role: 'user'
  readonly content: string
}

/** What goes into the conversation for a person's message, before the model is called. */
export async function messagesOf(
  session: AdapterSession,
  text: string,
  fork?: ForkRunner,
): Promise<readonly Message[]> {
  const turn = await session.beginTurn(text, { fork })
  const messages: Message[] = [{ role: 'user', content: text }]
  // Directly behind the person's message. Store it with the others, marked as not written by the person.
  if (turn.text !== undefined) messages.push({ role: 'user', content: turn.text })
  return messages
}
