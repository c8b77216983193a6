import type { SessionParts } from '../context.ts'

/** What an adapter owes the session before a model call, beside beginning its step. */
export interface Duties {
  readonly noteReady: () => void
  readonly noteReminder: () => void
  /** Reports what the steps before this one have left out. */
  readonly beginStep: () => void
}

/** Steps without a reminder, after which an adapter is taken to have forgotten it. Some begin a step twice. */
const STEPS_WITHOUT_REMINDER = 3

/** Watches that an adapter makes the calls without which skills work only in part, and reports a missing one once. */
export function createDuties({ context, state }: SessionParts): Duties {
  const bringsTools = (): boolean => state.current().active.some(({ toolsets }) => toolsets !== undefined)
  /** What is activated here loads its tools by itself. */
  let isReady = !bringsTools()
  let unreminded = 0

  function report(missing: string, then: string): void {
    const { task, firstReports, reportProblem } = context
    if (!firstReports.isFirst(task, `ADAPTER_INCOMPLETE ${missing}`)) return
    reportProblem({
      code: 'ADAPTER_INCOMPLETE',
      message: `The adapter does not call \`${missing}\` of the session: ${then}. Use \`prepareStep\` of @repertoire/core/adapter, which makes every call that a step needs, or call it before each model call.`,
    })
  }

  return {
    noteReady: () => void (isReady = true),
    noteReminder: () => void (unreminded = 0),
    beginStep() {
      if (!isReady && bringsTools()) report('ready', 'tools that active skills bring are missing')
      unreminded = state.current().active.length === 0 ? 0 : unreminded + 1
      if (unreminded >= STEPS_WITHOUT_REMINDER)
        report('reminder', 'what a shortened conversation loses of active skills is lost')
    },
  }
}
