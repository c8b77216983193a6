import type { ForkRunner } from '@repertoire/core'
import { beginTurnWithConsent } from '@repertoire/core/adapter'
import { askAll, type ConsentContext } from './consent.ts'
import type { Message, UserMessage } from './model.ts'

/** What the beginning of a turn works on. */
export interface TurnContext extends ConsentContext {
  readonly fork: ForkRunner
}

/**
 * Begins a turn of the session with the message that a conversation ends with, where it is a person's. Gives what the
 * session has to say of it, to stand directly behind it; nothing where that stands there already.
 * @throws the signal's reason
 */
export async function beginTurn(context: TurnContext, messages: readonly Message[]): Promise<UserMessage | undefined> {
  const { session, onConsent, signal, fork } = context
  const message = messages.at(-1)
  if (!isPersons(message)) return undefined
  signal?.throwIfAborted()
  // By its place: a conversation that was stored while it waited for consent finds the answer to its question.
  const id = `message_${messages.filter(isPersons).length}`
  const { text } = await beginTurnWithConsent(session, message.content, {
    id,
    ask: onConsent && ((request) => askAll(context, [request])),
    signal,
    fork,
  })
  return text === undefined ? undefined : { role: 'user', content: text, from: 'skills' }
}

function isPersons(message: Message | undefined): message is UserMessage {
  return message?.role === 'user' && message.from !== 'skills'
}
