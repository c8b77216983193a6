import type { ConsentHandler, ConsentRequest, Session, ToolCall } from '@repertoire/core'
import type { LoopEvent } from './events.ts'

/** What asking for consent needs. */
export interface ConsentContext {
  readonly session: Session
  readonly onConsent: ConsentHandler | undefined
  readonly signal: AbortSignal | undefined
  readonly emit: (event: LoopEvent) => void
}

/** Asks for consent to the calls of one message, see `askAll`; not if the run is aborted by then. */
export async function askForConsent(context: ConsentContext, calls: readonly ToolCall[]): Promise<void> {
  if (context.onConsent === undefined) return
  const { session, signal } = context
  const made = Promise.all(calls.map((call) => session.consentFor(call, { signal })))
  const requests = await made.catch((error: unknown): readonly undefined[] => {
    if (signal?.aborted !== true) throw error
    return []
  })
  await askAll(
    context,
    requests.filter((request) => request !== undefined),
  )
}

/**
 * Asks about all requests, one at a time, and waits for all answers. An abort ends it without throwing: the requests then
 * stay open.
 */
export async function askAll(
  { session, onConsent, signal, emit }: ConsentContext,
  requests: readonly ConsentRequest[],
): Promise<void> {
  if (onConsent === undefined) return
  const handler: ConsentHandler = (request, options) => {
    emit({ type: 'consent-request', request })
    return onConsent(request, options)
  }
  const answers = requests.map((request) => session.ask(request, handler, { signal }))
  await Promise.all(answers).catch((error: unknown) => {
    if (signal?.aborted !== true) throw error
  })
}
