import type { ConsentRequest, ToolCall } from '@repertoire/core'
import { type AdapterSession, invocationConsentRequest, type StepCalls } from '@repertoire/core/adapter'
import type { RunContext } from './options.ts'

/**
 * The consent requests that the calls of one message wait for, in their order. None in a session with a handler, which asks
 * by itself, and none after an abort.
 */
export async function requestsOfCalls(
  { session, signal }: RunContext,
  step: StepCalls,
  calls: readonly ToolCall[],
): Promise<readonly ConsentRequest[]> {
  const made = Promise.all(calls.map((call) => step.openConsent(call, { signal })))
  const requests = await made.catch((error: unknown): readonly undefined[] => {
    if (signal?.aborted !== true) throw error
    return []
  })
  return unanswered(session, requests)
}

/** The consent request that a person's message waits for, `/name args`. Empty: there is none. */
export async function requestsOfTurn(
  { session, signal }: RunContext,
  text: string,
  id: string,
): Promise<readonly ConsentRequest[]> {
  return unanswered(session, [await invocationConsentRequest(session, text, id, { signal })])
}

function unanswered(
  session: AdapterSession,
  requests: readonly (ConsentRequest | undefined)[],
): readonly ConsentRequest[] {
  const answered = new Set(session.state.open.flatMap(({ id, approved }) => (approved === undefined ? [] : [id])))
  return requests.filter((request) => request !== undefined).filter(({ id }) => !answered.has(id))
}
