import type { ConsentDecision } from '../../ports/consent.ts'
import { failureReason } from '../refusal.ts'
import type { SessionContext } from '../context.ts'

/** How a session is saved before something begins. */
export type CheckpointContext = Pick<SessionContext, 'checkpoint' | 'reportProblem'>

/**
 * Saves the session before what was approved begins, so that after a crash it does not begin once more by the same
 * answer. Where it cannot be saved, nothing is approved.
 */
export async function saveDecision<Decision extends ConsentDecision>(
  { checkpoint, reportProblem }: CheckpointContext,
  decision: Decision,
): Promise<Decision | ConsentDecision> {
  if (checkpoint === undefined || !decision.approved) return decision
  try {
    await checkpoint()
    return decision
  } catch (error) {
    const reason = `the session could not be saved (${failureReason(error)})`
    const message = `Nothing was carried out: ${reason}. What was approved is asked about again.`
    reportProblem({ code: 'SESSION_NOT_SAVED', message, cause: error })
    return { approved: false, reason }
  }
}
