import { type ConsentHandler, type Repertoire, type SessionStore, withStoredSession } from '@repertoire/core'
import { createReActLoop, type Message, type Model } from '@repertoire/react-loop'

/** Answers a message of a chat, on whatever machine it arrives. */
export function answerInLoop(
  repertoire: Repertoire,
  store: SessionStore,
  model: Model,
  { chat, messages, consent }: { chat: string; messages: readonly Message[]; consent: ConsentHandler },
) {
  return withStoredSession(repertoire, { store, id: chat, consent }, (session, { signal }) =>
    createReActLoop({ model, session }).run(messages, { signal }),
  )
}
