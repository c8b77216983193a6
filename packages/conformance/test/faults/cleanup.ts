import { type Fault, without } from './break.ts'

export const cleanupFaults: readonly Fault[] = [
  {
    wrong: 'keeps its skills after the end of the task',
    caughtBy: [
      'cleanup-after-success',
      'cleanup-after-error',
      'cleanup-after-abort',
      'cleanup-ended-by-success',
      'cleanup-ended-by-error',
      'cleanup-ended-by-abort',
      'activation-hooks-order',
      'activation-hooks-resumed',
      'activation-mount-end',
      'activation-mount-resumed',
      'audit-events',
    ],
    conversation: () => ({ end: () => Promise.resolve() }),
  },
  {
    wrong: 'does not hand the abort on to the model call',
    caughtBy: ['cleanup-after-abort', 'cleanup-abort-reaches-tools'],
    conversation: (conversation) => ({ send: (text) => conversation.send(text) }),
  },
  {
    wrong: 'keeps the signal of the run from calls',
    caughtBy: ['cleanup-abort-stuck-folder', 'cleanup-abort-stuck-tool'],
    deadline: 500,
    session: (session) => ({
      call: (call, execute, options = {}) => session.call(call, execute, without(options, 'signal')),
    }),
  },
  {
    wrong: 'keeps the signal of the run from tools',
    caughtBy: ['cleanup-abort-reaches-tools'],
    task: (task) => ({
      ...task,
      tools: task.tools.map((tool) => ({ ...tool, execute: (input, { callId }) => tool.execute(input, { callId }) })),
    }),
  },
]
