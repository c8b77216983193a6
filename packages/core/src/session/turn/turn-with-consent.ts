import type { ConsentRequest } from '../../ports/consent.ts'
import type { Session, TurnOptions } from '../session.ts'
import type { Turn } from './turn.ts'

/** How a turn begins where the adapter asks. */
export interface TurnWithConsentOptions extends TurnOptions {
  /** The same whenever this message comes: a run that was suspended finds the answer to its question by it. */
  readonly id: string
  /**
   * Asks, and records what is said, by `session.ask` or `session.answer`; a throw suspends the run, and nothing has begun.
   * Absent: nobody can be asked.
   */
  readonly ask?: ((request: ConsentRequest) => void | Promise<void>) | undefined
}

/**
 * Begins a turn as `session.beginTurn` does, and asks about what the message invokes before. For adapters whose framework
 * can wait for a person while a run begins.
 * @throws what `ask` throws; the signal's reason
 */
export async function beginTurnWithConsent(
  session: Session,
  message: string,
  { ask, ...options }: TurnWithConsentOptions,
): Promise<Turn> {
  const request = ask && (await invocationConsentRequest(session, message, options.id))
  if (request !== undefined) await ask?.(request)
  return session.beginTurn(message, options)
}

/**
 * The question that a person's message waits for before its turn begins, `/name args` of a skill that nobody has agreed
 * to; undefined where it waits for none. For adapters whose framework asks before a run.
 * @param id the one that `beginTurn` will be given
 */
export async function invocationConsentRequest(
  session: Session,
  message: string,
  id: string,
): Promise<ConsentRequest | undefined> {
  const invocation = session.invocation(message, id)
  return invocation === undefined ? undefined : session.consentFor(invocation)
}
