import { interrupt, isGraphInterrupt } from '@langchain/langgraph'
import type { ConsentRequest } from '@repertoire/core'
import { type AdapterSession, isOutdatedYes, readConsentAnswer } from '@repertoire/core/adapter'

/** Whether LangGraph threw because of a call of `interrupt`, in a graph that can wait or in one that cannot. */
export function waitsForPerson(error: unknown): boolean {
  if (error === null) return false
  return isGraphInterrupt(error) || isWithoutCheckpointer(error)
}

/** Whether `interrupt` was called in a graph that cannot wait. Each middleware wraps the error once more. */
export function isWithoutCheckpointer(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return Reflect.get(error, 'lc_error_code') === 'MISSING_CHECKPOINTER' || isWithoutCheckpointer(error.cause)
}

/**
 * Suspends the run with a consent request. When it is resumed, the same request is made again and finds the answer. If
 * the folder has changed by then, the request is another one, and the run is suspended again.
 */
export function ask(session: AdapterSession, request: ConsentRequest): void {
  try {
    // LangGraph returns the answers in the order of the interrupts, and suspends when they are used up.
    let answer: unknown = interrupt(request)
    while (isOutdatedYes(answer, request.id)) answer = interrupt(request)
    session.answer({ requestId: request.id, ...readConsentAnswer(answer, request.id) })
  } catch (error) {
    // Without a checkpointer the graph cannot wait for an answer, and `call` says so.
    if (!isWithoutCheckpointer(error)) throw error
  }
}
