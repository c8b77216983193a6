import type { ConsentRequest, ForkRunner, Session } from '@repertoire/core'
import { invocationConsentRequest, messageText } from '@repertoire/core/adapter'
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
  const { text } = await session.beginTurn(messageText(last.content), { ...options, id: turnId(messages) })
  return text === undefined
    ? (messages as ModelMessage[])
    : [...messages, { role: 'user', content: text, providerOptions: OWN }]
}

/**
 * The question that a run waits for before it begins: where its last message is a person's `/name` of a skill that was
 * not agreed to, in a session without a consent handler. Record what is said with `session.answer`, here or in another
 * process, and then run; without an answer the skill is not activated. AI SDK has approval for calls of tools alone.
 * @param messages those that the run will begin with
 */
export async function invocationRequest(
  session: Session,
  messages: readonly ModelMessage[],
): Promise<ConsentRequest | undefined> {
  const last = messages.at(-1)
  if (last?.role !== 'user' || isOwn(last)) return undefined
  return invocationConsentRequest(session, messageText(last.content), turnId(messages))
}

/** By its place: whoever asks beforehand asks about the same question. */
function turnId({ length }: readonly ModelMessage[]): string {
  return `message_${length}`
}

/** Marks what the session said, for a run that begins with stored messages. No provider of this name is sent it. */
const OWN = { repertoire: { from: 'skills' } }

function isOwn({ providerOptions }: ModelMessage): boolean {
  return providerOptions?.['repertoire']?.['from'] === OWN.repertoire.from
}
