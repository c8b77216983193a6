import type { ConsentHandler, Repertoire, SavedSession, Session } from '@repertoire/core'

/** Answers one message of a chat. Its skills stay active until the next, in whatever process that is answered. */
export async function inChat<T>(
  repertoire: Repertoire,
  store: Map<string, SavedSession>,
  { chat, consent }: { readonly chat: string; readonly consent: ConsentHandler },
  answer: (session: Session) => Promise<T>,
): Promise<T> {
  const saved = store.get(chat)
  const session = repertoire.openSession({ consent, ...(saved === undefined ? { id: chat } : { saved }) })
  try {
    return await answer(session)
  } finally {
    store.set(chat, session.save())
  }
}
