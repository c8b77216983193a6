import type { Outcome } from '@repertoire/gate/internal'
import type { RequestedFork } from '../activation/activate.ts'
import { failureReason } from '../refusal.ts'
import type { ForkRunner, Session } from '../session.ts'
import { withGrace } from './grace.ts'
import { forkFailed, forkOutcome } from './outcome.ts'
import { forkRequest } from './request.ts'
import type { PreparedActivation } from '../activation/prepare.ts'

/** The session of a sub-agent, before the skill that it runs is active in it. */
export interface ChildSession {
  readonly session: Session
  /** Activates the skill, which was prepared in the parent session. */
  activate(prepared: PreparedActivation): Promise<Outcome>
}

/** How long a fork that was told to stop is waited for. */
const GRACE_MS = 5_000

/** How much of a fork's result the model is shown, in characters. */
const MAX_RESULT_CHARS = 100_000

/**
 * Runs the sub-agent of a fork in its session, which ends with it.
 * @throws the signal's reason
 */
export async function runChild(
  child: ChildSession,
  { prepared, callId }: RequestedFork,
  runner: ForkRunner,
  signal: AbortSignal,
): Promise<Outcome> {
  const { skill } = prepared
  try {
    const activated = await child.activate(prepared)
    signal.throwIfAborted()
    if (!activated.ok) return activated
    const request = forkRequest(prepared, activated.text ?? '', {
      session: child.session,
      callId,
      signal,
    })
    const result: unknown = await withGrace(async () => runner(request), signal, GRACE_MS)
    signal.throwIfAborted()
    return forkOutcome(skill.name, result, MAX_RESULT_CHARS)
  } catch (error) {
    signal.throwIfAborted()
    return forkFailed(skill.name, failureReason(error))
  } finally {
    await child.session.end()
  }
}
