import type { AdapterSession } from '@repertoire/core/adapter'

/**
 * Sessions that wait in memory for the next hook of their run, by the value of the channel that they have come to. A
 * checkpointer restores another object, so no other run, process or branch of a thread finds them.
 */
const waiting = new WeakMap<object, AdapterSession>()

/** Sessions whose changes are on their way into the channel, by the update, with the value they were opened with. */
const leaving = new WeakMap<object, readonly [session: AdapterSession, from: object | undefined]>()

/** Returns the session that has come to a value, for one hook: calls side by side each have one of their own. */
export function takeLive(value: object | undefined): AdapterSession | undefined {
  const session = value && waiting.get(value)
  if (session !== undefined) waiting.delete(value!)
  return session
}

/** Lets a session that has not changed wait for the next hook. */
export function keepLive(value: object | undefined, session: AdapterSession): void {
  if (value !== undefined && !waiting.has(value)) waiting.set(value, session)
}

/** Sends a session's changes on their way. */
export function sendLive<Update extends object>(
  update: Update,
  from: object | undefined,
  session: AdapterSession,
): Update {
  leaving.set(update, [session, from])
  return update
}

/** Lets the session of an update wait at the value that this has led to, if no other update came before. */
export function arriveLive(update: object, before: object | undefined, value: object): void {
  const [session, from] = leaving.get(update) ?? []
  if (session !== undefined && from === before) waiting.set(value, session)
}
