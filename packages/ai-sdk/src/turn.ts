import type { ConsentRequest, ForkRunner, Session, Turn } from '@repertoire/core'
import { adapterSession, type AdapterSession, messageCall, messageText } from '@repertoire/core/adapter'
import type { ModelMessage } from 'ai'

/**
 * Begins a turn of the session with the message that a run begins with, if a person wrote it: what the session adds to
 * it is a message after it.
 */
export async function withTurn(
  session: AdapterSession,
  messages: readonly ModelMessage[],
  {
    onTurn,
    ...options
  }: {
    readonly fork: ForkRunner
    readonly signal: AbortSignal | undefined
    readonly onTurn: ((turn: Turn) => void | Promise<void>) | undefined
  },
): Promise<ModelMessage[]> {
  const last = messages.at(-1)
  // An answer to a consent request continues a turn that has already begun.
  if (last?.role !== 'user' || isOwn(last)) return messages as ModelMessage[]
  const turn = await session.beginTurn(messageText(last.content), { ...options, id: turnId(messages) })
  await onTurn?.(turn)
  const { text } = turn
  return text === undefined
    ? (messages as ModelMessage[])
    : [...messages, { role: 'user', content: text, providerOptions: OWN }]
}

/**
 * The consent request that must be answered before a run: if its last message is a person's `/name` of a skill without
 * consent, in a session without a consent handler. Record the answer with `session.answer`, here or in another process,
 * and then run; without an answer the skill is not activated. AI SDK itself has approvals for tool calls only.
 * @param messages the first messages of the run
 */
export async function invocationRequest(
  session: Session,
  messages: readonly ModelMessage[],
): Promise<ConsentRequest | undefined> {
  const last = messages.at(-1)
  if (last?.role !== 'user' || isOwn(last)) return undefined
  const call = messageCall(turnId(messages), messageText(last.content))
  return (await adapterSession(session).preview(call, { asks: true })).waits
}

/** Derived from its position, so that requests made before the run have the same id. */
function turnId({ length }: readonly ModelMessage[]): string {
  return `message_${length}`
}

/** Marks messages of the session, for runs that begin with stored messages. No provider has this name, so it is never sent. */
const OWN = { repertoire: { from: 'skills' } }

/** Whether the session has added a message to the person's before it. */
export function isOwn({ providerOptions }: Pick<ModelMessage, 'providerOptions'>): boolean {
  return providerOptions?.['repertoire']?.['from'] === OWN.repertoire.from
}
