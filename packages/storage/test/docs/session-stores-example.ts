import { openStoredSession, type Repertoire, type SessionStore } from '@repertoire/core'
import { openFileSessions, openSessions, type StorageEngine } from '@repertoire/storage'

/** The sessions of a tenant: in `redisEngine` or `postgresEngine`, or in a file, for the processes of one machine. */
export async function sessionsOf(tenant: string, place: StorageEngine | { path: string }): Promise<SessionStore> {
  return 'path' in place ? openFileSessions({ ...place, tenant }) : openSessions({ engine: place, tenant })
}

/** Activates a skill of a chat, and writes to a table of its own, which refuses smaller tokens. */
export async function activateIn(
  repertoire: Repertoire,
  store: SessionStore,
  { chat, seenVersion }: { readonly chat: string; readonly seenVersion: number },
  write: (row: { readonly chat: string; readonly token: number; readonly version: number }) => Promise<void>,
): Promise<void> {
  const stored = await openStoredSession(repertoire, { store, id: chat, atLeast: seenVersion, consent: () => true })
  try {
    await stored.session.activate('pdf')
    await stored.save()
    await write({ chat, token: stored.token, version: stored.version })
  } finally {
    await stored.close()
  }
}
