import type { RunnableConfig } from '@langchain/core/runnables'
import { Command, INTERRUPT, type Interrupt } from '@langchain/langgraph'
import type { ConsentAnswer, ConsentRequest } from '@repertoire/core'
import { checkAnswers } from '@repertoire/core/adapter'
import { checkResult, checkThread } from './options.ts'
import { type SkillsAgent, storedState } from './thread.ts'

/** A consent request of a suspended run. */
export interface PendingConsent {
  /** The id of LangGraph's interrupt. */
  readonly interruptId: string
  readonly request: ConsentRequest
}

/** What `invoke` of an agent or graph returns. */
export interface GraphResult {
  readonly [INTERRUPT]?: readonly Interrupt[]
  readonly messages?: unknown
  /** An agent is not a result, nor is a graph. */
  readonly graph?: never
  readonly getState?: never
}

/**
 * The consent requests that a run waits for, in the order of the calls; none if it has ended. Interrupts of others, such
 * as `humanInTheLoopMiddleware`, are not included.
 * @param result what `invoke` has returned
 * @throws {TypeError} no result, such as a promise of one
 */
export function consentRequests(result: GraphResult): readonly ConsentRequest[]
/**
 * The same of a thread's suspended run, with the interrupts that wait for them: for streams, or in another process. They
 * come from the thread's state, so none is missing whatever the stream mode. Without a checkpointer there are none.
 * @param config names the thread: `{ configurable: { thread_id } }`
 * @param agent an agent, or the compiled graph that agents are nodes of
 * @throws {TypeError} no agent or graph, or no thread
 */
export function consentRequests(agent: SkillsAgent, config: RunnableConfig): Promise<readonly PendingConsent[]>
export function consentRequests(
  from: GraphResult | SkillsAgent,
  ...config: readonly RunnableConfig[]
): readonly ConsentRequest[] | Promise<readonly PendingConsent[]> {
  if (config.length > 0) return requestsOfThread(from as SkillsAgent, config[0]!)
  checkResult('consentRequests', from)
  return pendingOf((from as GraphResult)[INTERRUPT] ?? []).map(({ request }) => request)
}

async function requestsOfThread(agent: SkillsAgent, config: RunnableConfig): Promise<readonly PendingConsent[]> {
  checkThread('consentRequests', agent, config)
  const state = await storedState(agent, config)
  // An answered call that has finished next to others keeps its interrupt, and has a result.
  const waiting = state?.tasks.filter(({ result }) => result === undefined) ?? []
  return pendingOf(waiting.flatMap((task) => task.interrupts))
}

/**
 * The command that resumes a suspended run with consent answers: each goes to the interrupt of its own request.
 * @param from what `invoke` has returned; or some of the requests of a thread, and those without an answer stay open: the
 * run is suspended again until they are answered
 * @throws {TypeError} an answer belongs to none of the requests, or two belong to one; a request of a result has none
 */
export function resumeWith(
  from: GraphResult | readonly PendingConsent[],
  answers: readonly ConsentAnswer[],
): Command<unknown, never, never> {
  const isList = Array.isArray(from)
  if (!isList) checkResult('resumeWith', from)
  const pending: readonly PendingConsent[] = isList ? from : pendingOf((from as GraphResult)[INTERRUPT] ?? [])
  checkAnswers('resumeWith', pending, answers)
  const resume = answers.map((answer) => {
    const asked = pending.find(({ request }) => request.id === answer.requestId)
    if (asked !== undefined) return [asked.interruptId, answer] as const
    const what = isList ? 'consentRequests(agent, config)' : 'consentRequests(result)'
    throw new TypeError(
      `resumeWith: no pending request has the id "${answer.requestId}". Call ${what} again and answer what it returns.`,
    )
  })
  const left = pending.find(({ request }) => answers.every(({ requestId }) => requestId !== request.id))
  if (!isList && left !== undefined) {
    throw new TypeError(
      `resumeWith: the request "${left.request.id}" has no answer. Answer each request of consentRequests(result), with \`approved: false\` for a no.`,
    )
  }
  return new Command<unknown, never, never>({ resume: Object.fromEntries(resume) })
}

function pendingOf(interrupts: readonly Interrupt[]): readonly PendingConsent[] {
  return interrupts.flatMap(({ id, value }) =>
    id !== undefined && isConsentRequest(value) ? [{ interruptId: id, request: value }] : [],
  )
}

function isConsentRequest(value: unknown): value is ConsentRequest {
  const { id, text } = (typeof value === 'object' && value !== null ? value : {}) as Readonly<Record<string, unknown>>
  return typeof id === 'string' && typeof text === 'string'
}
