import { SkillError, quote } from '@repertoire/skill-md/internal'
import type { SessionState } from './state.ts'

/**
 * Returns a saved session's state where it can be resumed.
 * @throws {SkillError} STATE_INVALID: it is another session than the one asked for. SESSION_ENDED
 */
export function checkResumed(state: SessionState, id: string | undefined): SessionState {
  if (id !== undefined && state.id !== id) {
    throw new SkillError(
      'STATE_INVALID',
      `The saved session is ${quote(state.id)} and not ${quote(id)}: consent and activations of one task do not apply to another.`,
    )
  }
  if (state.ended)
    throw new SkillError('SESSION_ENDED', `The saved session ${quote(state.id)} has ended. Open a new one.`)
  return state
}
