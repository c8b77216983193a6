import { isSkillError, SkillError } from '@repertoire/core'
import { ConnectionLostError } from '../engine.ts'

/**
 * Waits for an engine, and turns its errors into a `SkillError`.
 * @param engine as a sentence begins with it: `Redis`
 * @throws {SkillError} STORAGE_UNAVAILABLE
 */
export async function fromEngine<T>(engine: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isSkillError(error)) throw error
    const cause = error instanceof ConnectionLostError ? error.cause : error
    const reason = error instanceof Error && error.message !== '' ? error.message : String(error)
    const message = `${engine} cannot be used for sessions now: ${reason}. Whether the last operation has happened is not known. Look at the server and at the connection, and try again.`
    throw new SkillError('STORAGE_UNAVAILABLE', message, { cause })
  }
}

/**
 * Reads a stored text, which another program may have written.
 * @throws {SkillError} STATE_INVALID
 */
export function parsed(session: string, saved: unknown): unknown {
  try {
    return JSON.parse(String(saved))
  } catch (error) {
    throw notASession(session, error)
  }
}

export function notASession(session: string, cause?: unknown): SkillError {
  const message = `What is stored of the session ${JSON.stringify(session)} is no session. Another program changed it: remove it, and open a new session.`
  return new SkillError('STATE_INVALID', message, { cause })
}
