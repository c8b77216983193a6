import { getConfig, interrupt, isGraphBubbleUp, isGraphInterrupt } from '@langchain/langgraph'
import type { ConsentRequest } from '@repertoire/core'
import { type AdapterSession, isOutdatedYes, readConsentAnswer } from '@repertoire/core/adapter'
import { MiddlewareError } from 'langchain'

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
 * Returns a function that says what an earlier run of this node has put on record of a request. LangGraph runs a node
 * again with the answers to its interrupts, in another process too: all but the last were used before.
 */
export function recordedBefore(): (requestId: string) => 'asked' | 'answered' | undefined {
  const { configurable = {} } = getConfig() as { readonly configurable?: Readonly<Record<string, unknown>> }
  const { resume = [], nullResume } = (configurable['__pregel_scratchpad'] ?? {}) as Scratchpad
  const answers = nullResume === undefined ? resume : [...resume, nullResume]
  return (requestId) => {
    const at = answers.findIndex((answer) => isAnswerTo(answer, requestId))
    if (at === -1) return undefined
    return at < answers.length - 1 ? 'answered' : 'asked'
  }
}

/** The answers that LangGraph has for the interrupts of a node. */
interface Scratchpad {
  readonly resume?: readonly unknown[]
  readonly nullResume?: unknown
}

/** An answer without an id, such as `false`, is one to whatever was asked. */
function isAnswerTo(answer: unknown, requestId: string): boolean {
  const { requestId: id } = Object(answer) as { readonly requestId?: unknown }
  return typeof id !== 'string' || id === requestId
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

/** Whether a tool waits for a person: LangGraph runs the node again once there is an answer. */
export function suspends(error: unknown): boolean {
  return error !== null && isGraphInterrupt(error)
}

/** Errors that are no failure of a tool: LangGraph stops or leaves a graph by them, or other middleware failed. */
export function isFrameworks(error: unknown): boolean {
  return error !== null && (isGraphBubbleUp(error) || error instanceof MiddlewareError)
}
