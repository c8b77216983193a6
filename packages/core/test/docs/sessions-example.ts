import { type ConsentHandler, openRepertoire, type SavedSession, type SkillSource } from '@repertoire/core'

/** One message of a chat whose skills stay active until the next, in whatever process that is answered. */
export async function answerMessage(
  source: SkillSource,
  store: Map<string, SavedSession>,
  options: { readonly chat: string; readonly stateKey: string; readonly consent: ConsentHandler },
  call: { readonly id: string; readonly tool: string; readonly input: unknown },
): Promise<readonly string[]> {
  const { chat, stateKey, consent } = options
  const repertoire = await openRepertoire({ sources: [source], stateKey })
  const saved = store.get(chat)
  const session = repertoire.openSession({ consent, ...(saved === undefined ? { id: chat } : { saved }) })
  session.beginStep(['Read'])
  await session.call(call, () => 'ran')
  store.set(chat, session.save())
  return session.state.active.map(({ name }) => name)
}
