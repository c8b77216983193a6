import { type OptionTable, repertoireKind, required, tableOf, tableWithout } from '@repertoire/skill-md/internal'
import type { SessionStore } from '../../ports/session-store.ts'
import type { Session } from '../../session/session.ts'
import { SESSION_OPTIONS } from '../option-tables.ts'
import type { Repertoire, SessionOptions } from '../options.ts'
import { reportNotSaved, sessionStoreKind, withStoredSession } from './stored-session.ts'

/** How sessions are opened whose ids and place the caller chooses, such as an agent that owns its sessions. */
export type OwnedSessionOptions = Omit<SessionOptions, 'id' | 'saved'>

/** The options of an adapter's agent that owns its sessions. */
export interface OwnerOptions {
  readonly repertoire: Repertoire
  /** Keeps the sessions between runs. The same store on every machine: an approval may arrive at another one. */
  readonly sessions?: SessionStore | undefined
  /** How each session is opened, such as `{ agent: 'coder', consent }`. The agent chooses ids and places itself. */
  readonly session?: OwnedSessionOptions | undefined
}

/** The table of the options of an owner of sessions. */
export const OWNER_OPTIONS: OptionTable<OwnerOptions> = {
  repertoire: required(repertoireKind),
  sessions: sessionStoreKind,
  session: tableOf<OwnedSessionOptions>(tableWithout(SESSION_OPTIONS, 'id', 'saved')),
}

/** What opens, keeps and ends sessions for its runs. */
export interface SessionOwner extends OwnerOptions {
  /** The function that made it, for messages. */
  readonly name: string
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
 * Runs some work in a session of its owner's. One with an id is in the owner's store: it is continued, and then saved
 * and closed. One without ends with the work. For adapters whose agents own their sessions.
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

/**
 * Runs some work to its end, and returns what it has begun as soon as that is there, such as a stream. Once that is
 * returned, an error of the work is reported as SESSION_NOT_SAVED, because nothing waits for it any more. For adapters
 * whose agents own their sessions.
 * @param work calls `begun` once
 * @throws what `work` throws before; {TypeError} `work` has not called `begun`
 */
export function whenBegun<T>(
  { session = {} }: Pick<SessionOwner, 'session'>,
  work: (begun: (value: T) => void) => Promise<unknown>,
): Promise<T> {
  const first = Promise.withResolvers<T>()
  let hasBegun = false
  const begun = (value: T): void => {
    hasBegun = true
    first.resolve(value)
  }
  work(begun).then(
    () => first.reject(new TypeError('whenBegun: the work has ended without a call of `begun`.')),
    (cause: unknown) => {
      if (hasBegun) reportNotSaved(session, cause)
      else first.reject(cause)
    },
  )
  return first.promise
}
