import { SkillError } from '@repertoire/core'

/**
 * Reads what is stored. Somebody else may have written it.
 * @throws {SkillError} STATE_INVALID
 */
export function parsed(session: string, saved: unknown): unknown {
  try {
    return JSON.parse(String(saved))
  } catch (error) {
    const message = `What is stored as the session ${JSON.stringify(session)} is not JSON. Somebody else has changed it: remove it, and open a new session.`
    throw new SkillError('STATE_INVALID', message, { cause: error })
  }
}
