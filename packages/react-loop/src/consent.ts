import type { ConsentHandler, Session } from '@repertoire/core'
import type { LoopEvent } from './events.ts'

/** What asking for consent works on. */
export interface ConsentContext {
  readonly session: Session
  readonly onConsent: ConsentHandler | undefined
  readonly signal: AbortSignal | undefined
  readonly emit: (event: LoopEvent) => void
}

/** What may wait for consent: a call of the model's, or an invocation of a person's. */
type Waiting = Parameters<Session['consentFor']>[0]

/**
 * Asks everything that is waited for, all in one tick, and waits for all the answers. An abort ends it without a throw:
 * the questions then stay open.
 */
export async function askForConsent(
  { session, onConsent, signal, emit }: ConsentContext,
  waiting: readonly Waiting[],
): Promise<void> {
  if (onConsent === undefined) return
  const requests = await Promise.all(waiting.map((each) => session.consentFor(each)))
  const handler: ConsentHandler = (request, options) => {
    emit({ type: 'consent-request', request })
    return onConsent(request, options)
  }
  const answers = requests
    .filter((request) => request !== undefined)
    .map((request) => session.ask(request, handler, { signal }))
  await Promise.all(answers).catch((error: unknown) => {
    if (signal?.aborted !== true) throw error
  })
}
