import type { ConsentRequest, ToolCall } from '@repertoire/core'
import type { StepCalls } from '@repertoire/core/adapter'
import type { RunContext } from './options.ts'

/**
 * The consent requests that the calls of one message wait for, in their order. None in a session with a handler, which
 * asks by itself, and none after an abort.
 */
export async function requestsOfCalls(
  { signal }: RunContext,
  step: StepCalls,
  calls: readonly ToolCall[],
): Promise<readonly ConsentRequest[]> {
  try {
    const previews = await Promise.all(calls.map((call) => step.preview(call, { signal, asks: true })))
    return previews.flatMap(({ waits }) => waits ?? [])
  } catch (error) {
    if (signal?.aborted !== true) throw error
    return []
  }
}
