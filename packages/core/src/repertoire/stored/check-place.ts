import { SkillError, quote } from '@repertoire/skill-md/internal'
import type { SessionRecord, SessionStore } from '../../ports/session-store.ts'
import type { SessionState } from '../../session/state/state.ts'

/** What a session has to be, to be continued. */
export interface ExpectedPlace {
  readonly store: Pick<SessionStore, 'tenant'>
  readonly id: string
  /** The newest version that anybody here knows of. */
  readonly atLeast: number
}

/**
 * Checks what a store returned, before it is opened. Returns undefined where nothing is stored.
 * @throws {SkillError} STATE_OUTDATED
 */
export function checkRecord(
  { id, atLeast }: ExpectedPlace,
  record: SessionRecord | undefined,
): SessionRecord | undefined {
  const version = record?.version ?? 0
  if (version < atLeast) {
    throw outdated(id, `its version ${version} is stored, and there was a version ${atLeast}`)
  }
  if (record !== undefined && (record.saved === undefined || record.saved === null)) {
    throw outdated(id, `version ${version} was saved, and is gone`)
  }
  return record
}

/**
 * Checks that a state, whose seal fits, was sealed for the place in which it was found.
 * @throws {SkillError} STATE_INVALID: for another tenant, or for none. STATE_OUTDATED: as an older version, or for a time
 * that is over
 */
export function checkPlace({ store, id }: ExpectedPlace, { stored }: SessionState, { version }: SessionRecord): void {
  if (stored?.tenant !== store.tenant) {
    const from = stored === undefined ? 'no store' : `the tenant ${quote(stored.tenant)}`
    throw new SkillError(
      'STATE_INVALID',
      `What is stored as the session ${quote(id)} was saved for ${from}, and not for ${quote(store.tenant)}: consent of one tenant does not apply to another. Remove it, and open a new session.`,
    )
  }
  if (stored.version !== version) {
    throw outdated(id, `its version ${version} was saved, and version ${stored.version} is in its place`)
  }
  if (stored.expires <= Date.now()) {
    throw outdated(id, `its time to live was over at ${new Date(stored.expires).toISOString()}`)
  }
}

function outdated(id: string, why: string): SkillError {
  return new SkillError(
    'STATE_OUTDATED',
    `The session ${quote(id)} is not continued: ${why}. Somebody else has put it there. Remove it, and open a new session.`,
  )
}
