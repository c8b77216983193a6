import { expect } from 'vitest'
import type { Outcome, Refusal, Session } from '../../src/index.ts'

/** The code of a refusal, or `ok`. */
export function code(outcome: Outcome): string {
  return outcome.ok ? 'ok' : outcome.refusal.code
}

/** What the host reads of a refusal: the model is shown no detail. */
function hostReason({ reason, detail }: Refusal): string {
  return detail === undefined ? reason : `${reason} ${detail}`
}

/** What a refusal with this code, of which the host reads a matching reason, looks like to `toMatchObject`. */
export function refusal(refusalCode: string, reason: RegExp) {
  const matches = (given: Refusal): boolean => given.code === refusalCode && reason.test(hostReason(given))
  return { ok: false, refusal: expect.toSatisfy(matches, `${refusalCode}: ${reason}`) as Refusal }
}

/** The names of the active skills, bottom first. */
export function activeNames(session: Session): readonly string[] {
  return session.activeSkills
}
