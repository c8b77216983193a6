import { isSkillError, SkillError } from '@repertoire/core'
import { ConnectionLost } from '../engine.ts'

/**
 * Waits for an engine, and turns what it fails with into an error of ours.
 * @param engine as a sentence begins with it: `Redis`
 * @throws {SkillError} STORAGE_UNAVAILABLE
 */
export async function fromEngine<T>(engine: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isSkillError(error)) throw error
    const cause = error instanceof ConnectionLost ? error.cause : error
    const reason = error instanceof Error && error.message !== '' ? error.message : String(error)
    const message = `${engine} cannot be used for sessions now: ${reason}. Whether the last operation has happened is not known. Look at the server and at the connection, and try again.`
    throw new SkillError('STORAGE_UNAVAILABLE', message, { cause })
  }
}
