import {
  type ConsentHandler,
  failureText,
  type FunctionTool,
  resultText,
  type Session,
  type ToolCall,
} from '@repertoire/core'
import type { LoopEvent } from './events.ts'
import type { ToolMessage } from './model.ts'

/** What the carrying out of calls works on. */
export interface CallsContext {
  readonly session: Session
  readonly tools: ReadonlyMap<string, FunctionTool>
  readonly onConsent: ConsentHandler | undefined
  readonly signal: AbortSignal | undefined
  readonly emit: (event: LoopEvent) => void
}

/**
 * Carries the calls of one message out side by side, after every question that they ask was asked. Never throws for a
 * tool or an abort: each call has its result, in the order of the calls, so that the conversation can go on.
 */
export async function carryOut(context: CallsContext, calls: readonly ToolCall[]): Promise<readonly ToolMessage[]> {
  const { emit } = context
  for (const call of calls) emit({ type: 'tool-call', call })
  await askForConsent(context, calls)
  return Promise.all(
    calls.map(async (call) => {
      const result = await resultOf(context, call)
      emit({ type: 'tool-result', result })
      return result
    }),
  )
}

/** Asks everything that the calls of one message ask, all in one tick, and waits for all the answers. */
async function askForConsent(
  { session, onConsent, signal, emit }: CallsContext,
  calls: readonly ToolCall[],
): Promise<void> {
  if (onConsent === undefined) return
  const requests = await Promise.all(calls.map((call) => session.consentFor(call)))
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

async function resultOf({ session, tools, signal }: CallsContext, call: ToolCall): Promise<ToolMessage> {
  try {
    const run = ({ tool, input }: ToolCall): unknown =>
      unlessAborted(
        async () => tools.get(tool)?.execute(input, { callId: call.id, ...(signal !== undefined && { signal }) }),
        signal,
      )
    const outcome = await session.call(call, run, { signal })
    const content = outcome.text ?? (outcome.ok ? resultText(outcome.value) : '')
    return { role: 'tool', callId: call.id, tool: call.tool, content, isError: !outcome.ok }
  } catch (error) {
    return failed(call, error)
  }
}

function failed({ id, tool }: ToolCall, error: unknown): ToolMessage {
  return { role: 'tool', callId: id, tool, content: failureText(error), isError: true }
}

/** Waits for work no longer than until the signal aborts, whether the work heeds the signal or not. */
async function unlessAborted<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  signal?.throwIfAborted()
  if (signal === undefined) return work()
  const aborted = Promise.withResolvers<never>()
  const stop = (): void => aborted.reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work(), aborted.promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
