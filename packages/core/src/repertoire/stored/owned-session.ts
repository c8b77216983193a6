import { type OptionTable, tableWithout } from '@repertoire/skill-md/internal'
import type { SessionStore } from '../../ports/session-store.ts'
import type { Session } from '../../session/session.ts'
import { SESSION_OPTIONS } from '../option-tables.ts'
import type { Repertoire, SessionOptions } from '../options.ts'
import { withStoredSession } from './stored-session.ts'

/** How sessions are opened whose ids and place somebody else chooses, such as an agent that owns its sessions. */
export type OwnedSessionOptions = Omit<SessionOptions, 'id' | 'saved'>

/** The options of such a session. */
export const OWNED_SESSION_OPTIONS: OptionTable<OwnedSessionOptions> = tableWithout(SESSION_OPTIONS, 'id', 'saved')

/** What opens, keeps and ends sessions for its runs. */
export interface SessionOwner {
  /** The function that made it, for messages. */
  readonly name: string
  readonly repertoire: Repertoire
  readonly sessions?: SessionStore | undefined
  readonly session?: OwnedSessionOptions | undefined
}

/** The session of one run. */
export interface OwnedSession {
  readonly session: Session
  /** To be given to the run. It also aborts when the session's lease is lost. */
  readonly signal: AbortSignal | undefined
  /** Saves the session. Absent: the session ends with the run. */
  readonly save?: () => Promise<void>
}

/**
 * Runs some work in a session of its owner's. One with an id is in the owner's store: it is continued, and then saved and
 * closed. One without ends with the work. For adapters whose agents own their sessions.
 * @throws {TypeError} there is an id, and the owner has no store
 * @throws what `work` throws; {SkillError} as `withStoredSession`
 */
export async function withOwnedSession<T>(
  { name, repertoire, sessions, session: opening = {} }: SessionOwner,
  { id, signal }: { readonly id: string | undefined; readonly signal: AbortSignal | undefined },
  work: (owned: OwnedSession) => Promise<T>,
): Promise<T> {
  if (id === undefined) return repertoire.runTask(opening, (session) => work({ session, signal }))
  if (sessions === undefined) {
    throw new TypeError(
      `${name}: the option \`session\` of the run names a session, and there is no store that keeps it. Give \`${name}\` the option \`sessions\`: a store that all your machines share, or \`memorySessions()\` of @repertoire/core if one process answers all calls.`,
    )
  }
  return withStoredSession(repertoire, { ...opening, store: sessions, id, signal }, (session, stored) =>
    work({ session, signal: stored.signal, save: () => stored.save() }),
  )
}
