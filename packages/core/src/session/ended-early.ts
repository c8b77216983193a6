import type { SessionParts } from './context.ts'
import { taskOf } from './state/state.ts'

/**
 * Reports once for each session that its run goes on after its end, as of a stream that nobody awaits. An aborted run
 * stops late, and a fork ends with its task: neither is reported.
 */
export function reportEndedEarly({ context, state }: SessionParts, signal?: AbortSignal): void {
  const { task, firstReports, reportProblem } = context
  if (taskOf(state.current()) !== task || signal?.aborted === true) return
  if (!firstReports.isFirst(task, 'SESSION_ENDED_EARLY')) return
  reportProblem({
    code: 'SESSION_ENDED_EARLY',
    message:
      'The session ended before its run: the model is shown no skills, and every call is refused. Await the end of the stream in the callback of `runTask` or `withStoredSession`, or use `skillsAgent` of @repertoire/ai-sdk, which ends its session after the stream.',
  })
}
