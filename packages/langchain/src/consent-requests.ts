import type { RunnableConfig } from '@langchain/core/runnables'
import { Command } from '@langchain/langgraph'
import type { ConsentAnswer, ConsentRequest } from '@repertoire/core'
import { checkAnswers } from '@repertoire/core/adapter'
import { checkThread } from './options.ts'
import { type SkillsAgent, storedState } from './thread.ts'

/** A consent request of a suspended run. */
export interface PendingConsent {
  /** The id of LangGraph's interrupt. */
  readonly interruptId: string
  readonly request: ConsentRequest
}

/**
 * The consent requests that a thread waits for, in the order of the calls; none if its run has ended, or without a
 * checkpointer. They come from the thread's state, so none is missing whatever the stream mode, and another process
 * finds them too. Interrupts of others, such as `humanInTheLoopMiddleware`, are not included.
 * @param agent an agent, or the compiled graph that agents are nodes of
 * @param config names the thread: `{ configurable: { thread_id } }`
 * @throws {TypeError} no agent or graph, or no thread
 */
export async function consentRequests(agent: SkillsAgent, config: RunnableConfig): Promise<readonly PendingConsent[]> {
  checkThread('consentRequests', agent, config)
  const state = await storedState(agent, config)
  // An answered call that has finished next to others keeps its interrupt, and has a result.
  const waiting = state?.tasks.filter(({ result }) => result === undefined) ?? []
  return waiting
    .flatMap(({ interrupts }) => interrupts)
    .flatMap(({ id, value }) =>
      id !== undefined && isConsentRequest(value) ? [{ interruptId: id, request: value }] : [],
    )
}

/**
 * The command that resumes a suspended run with consent answers: each goes to the interrupt of its own request.
 * Requests without an answer stay open: the run is suspended again until they are answered.
 * @param pending what `consentRequests` has returned, or some of it
 * @throws {TypeError} an answer belongs to none of the requests, or two belong to one
 */
export function resumeWith(
  pending: readonly PendingConsent[],
  answers: readonly ConsentAnswer[],
): Command<unknown, never, never> {
  checkAnswers('resumeWith', pending, answers)
  const resume = answers.map((answer) => {
    const asked = pending.find(({ request }) => request.id === answer.requestId)
    if (asked !== undefined) return [asked.interruptId, answer] as const
    throw new TypeError(
      `resumeWith: no pending request has the id "${answer.requestId}". Call consentRequests(agent, config) again and answer what it returns.`,
    )
  })
  return new Command<unknown, never, never>({ resume: Object.fromEntries(resume) })
}

function isConsentRequest(value: unknown): value is ConsentRequest {
  const { id, text } = Object(value) as Readonly<Record<string, unknown>>
  return typeof id === 'string' && typeof text === 'string'
}
