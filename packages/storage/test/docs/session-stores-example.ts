import { openStoredSession, type Repertoire, type SessionStore } from '@repertoire/core'
import {
  openFileSessions,
  openPostgresSessions,
  type PostgresPool,
  type RedisClient,
  redisSessions,
} from '@repertoire/storage'

/** One of these: `createClient` of `redis`, connected; a `Pool` of `pg`; or a file, for the processes of one machine. */
export type Engine = { readonly client: RedisClient } | { readonly pool: PostgresPool } | { readonly path: string }

/** The sessions of a tenant. */
export async function sessionsOf(tenant: string, engine: Engine): Promise<SessionStore> {
  if ('client' in engine) return redisSessions({ ...engine, tenant })
  return 'pool' in engine ? openPostgresSessions({ ...engine, tenant }) : openFileSessions({ ...engine, tenant })
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
