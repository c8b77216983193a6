import {
  anyText,
  number,
  repertoireKind,
  required,
  timeLimit,
  signal,
  withDefault,
  withMethods,
} from '../../options/kinds.ts'
import { checkOptions, type OptionTable, tableWithout } from '../../options/table.ts'
import type { Session } from '../../session/session.ts'
import { checkDuration, checkSessionId } from '../../store/session-errors.ts'
import { SESSION_OPTIONS } from '../option-tables.ts'
import type { Repertoire } from '../repertoire.ts'
import { openNow } from './open-now.ts'
import type { StoredSessionOptions, StoredSession, CompleteOptions } from './stored-session.ts'

const DEFAULTS = { lease: 15_000, wait: 30_000, timeToLive: 30 * 24 * 60 * 60_000, storeTimeout: 10_000 }

export const STORED_SESSION_OPTIONS: OptionTable<StoredSessionOptions> = {
  ...tableWithout(SESSION_OPTIONS, 'saved', 'checkpoint', 'until'),
  store: required(
    withMethods('a session store, such as `memorySessions()`', 'acquire', 'renew', 'release', 'load', 'save'),
  ),
  id: required(anyText),
  lease: withDefault(DEFAULTS.lease, timeLimit),
  wait: withDefault(DEFAULTS.wait, number('milliseconds', { from: 0, isUnlimited: true })),
  timeToLive: withDefault(DEFAULTS.timeToLive, timeLimit),
  storeTimeout: withDefault(DEFAULTS.storeTimeout, timeLimit),
  atLeast: number('versions', { from: 0, to: Number.MAX_SAFE_INTEGER, isWhole: true }),
  signal,
}

/**
 * Opens a session of a store, new or as it was saved last. While it is open, no other process can open it. What is stored
 * is continued only if it was sealed by this repertoire's `stateKey` for this very place, as the newest version.
 * @throws {SkillError} SESSION_IN_USE, STATE_OUTDATED, STATE_INVALID, STATE_TAMPERED, SESSION_ENDED, STORAGE_UNAVAILABLE,
 * TIMED_OUT
 * @throws {TypeError} as `openSession`; the id is not one, or a time is not a number above 0
 */
export async function openStoredSession(repertoire: Repertoire, options: StoredSessionOptions): Promise<StoredSession> {
  checkOptions('openStoredSession', { repertoire: required(repertoireKind) }, { repertoire })
  checkOptions('openStoredSession', STORED_SESSION_OPTIONS, options)
  const complete = withDefaults(options)
  return openNow(repertoire, complete)
}

/**
 * Opens a session of a store, runs some work in it, and saves it before the result is returned: after a failure too. Its
 * skills stay active for the next time, here or in another process.
 * @param work returns when everything is done in the session: the end of a stream, and not its beginning
 * @throws what `work` throws; a save that fails then is reported to `onProblem`
 * @throws {SkillError} as `openStoredSession`, and as `save` of the session
 */
export async function withStoredSession<T>(
  repertoire: Repertoire,
  options: StoredSessionOptions,
  work: (session: Session, stored: StoredSession) => Promise<T>,
): Promise<T> {
  const stored = await openStoredSession(repertoire, options)
  let result: T
  try {
    result = await work(stored.session, stored)
  } catch (error) {
    await stored.close().catch((cause: unknown) => report(options, cause))
    throw error
  }
  await stored.close()
  return result
}

function report({ onProblem }: StoredSessionOptions, cause: unknown): void {
  const message = cause instanceof Error ? cause.message : String(cause)
  try {
    onProblem?.({ code: 'SESSION_NOT_SAVED', message, cause })
  } catch {
    // There is nobody left to tell.
  }
}

function withDefaults(options: StoredSessionOptions): CompleteOptions {
  const { id, lease = DEFAULTS.lease, timeToLive = DEFAULTS.timeToLive } = options
  const { wait = DEFAULTS.wait, storeTimeout = DEFAULTS.storeTimeout } = options
  checkSessionId(id)
  for (const [name, value] of Object.entries({ lease, timeToLive, storeTimeout })) checkDuration(name, value)
  return { ...options, lease, wait, timeToLive, storeTimeout }
}
