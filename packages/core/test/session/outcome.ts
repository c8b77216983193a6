import { expect } from 'vitest'
import type { Outcome, Session } from '../../src/index.ts'

/** The code of a refusal, or `ok`. */
export function code(outcome: Outcome): string {
  return outcome.ok ? 'ok' : outcome.refusal.code
}

/** What a refusal with this code and a matching reason looks like to `toMatchObject`. */
export function refusal(refusalCode: string, reason: RegExp) {
  return { ok: false, refusal: { code: refusalCode, reason: expect.stringMatching(reason) as string } }
}

/** The names of the active skills, bottom first. */
export function activeNames(session: Session): readonly string[] {
  return session.activeSkills
}
