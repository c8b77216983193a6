import type { StepView } from '@repertoire/core'
import { dropping, type Fault } from './break.ts'

export const storedSessionsFaults: readonly Fault[] = [
  {
    wrong: 'does not let a session be saved before somebody is asked, and before something begins',
    caughtBy: ['consent-request-saved', 'consent-saved-before-begin'],
    options: dropping('checkpoint'),
  },
  {
    wrong: 'lets a session be saved only after somebody was asked',
    caughtBy: ['consent-request-saved'],
    options: ({ checkpoint, ...options }) => ({
      ...options,
      ...(checkpoint && {
        checkpoint: () => {
          void checkpoint().catch(() => {})
          return Promise.resolve()
        },
      }),
    }),
  },
  {
    wrong: 'goes on although the session could not be saved',
    caughtBy: ['consent-saved-before-begin'],
    options: ({ checkpoint, ...options }) => ({
      ...options,
      ...(checkpoint && { checkpoint: () => checkpoint().catch(() => {}) }),
    }),
  },
  {
    wrong: 'opens sessions under names of its own',
    caughtBy: ['consent-request-saved'],
    options: (options) => ({ ...options, id: `own-${options.id ?? ''}` }),
  },
  {
    wrong: 'answers calls itself once its session has ended, and shows the tools of the step before',
    caughtBy: ['cleanup-session-lost'],
    session: (session, { session: { until } }) => {
      let shown: StepView | undefined
      return {
        beginStep: (hostTools) => (until?.aborted && shown ? shown : (shown = session.beginStep(hostTools))),
        async call(call, execute, options) {
          if (until?.aborted !== true) return session.call(call, execute, options)
          const outcome = (await session.inspect(call)).refusal
          return outcome ?? session.call(call, execute, options)
        },
      }
    },
  },
  {
    wrong: 'goes on in a session that another process has',
    caughtBy: ['cleanup-session-lost'],
    options: dropping('until'),
  },
]
