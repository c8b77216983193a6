import type { ForkRunner } from '@repertoire/core'
import { beginTurnWithConsent } from '@repertoire/core/adapter'
import { askAll, type ConsentContext } from './consent.ts'
import type { Message, UserMessage } from './model.ts'

/** What beginning a turn needs. */
export interface TurnContext extends ConsentContext {
  readonly fork: ForkRunner
}

/**
 * Begins a turn of the session with the last message of a conversation, if a person wrote it. Returns the message that
 * the session adds directly after it; undefined if there is none, or if it is already there.
 * @throws the signal's reason
 */
export async function beginTurn(context: TurnContext, messages: readonly Message[]): Promise<UserMessage | undefined> {
  const { session, onConsent, signal, fork } = context
  const message = messages.at(-1)
  if (!isPersons(message)) return undefined
  signal?.throwIfAborted()
  // Derived from its position: a conversation that was stored while it waited for consent finds the answer to its
  // request.
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
