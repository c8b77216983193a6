import { failureText, openAdapterSession } from '@repertoire/core/adapter'
import { type Fault, inForks, over, without } from './break.ts'

export const auditFaults: readonly Fault[] = [
  {
    wrong: 'names no model',
    caughtBy: ['audit-events', 'audit-model-calls', 'audit-resumed'],
    session: (session) => ({ beginStep: (hostTools) => session.beginStep(hostTools) }),
  },
  {
    wrong: 'does not tell what model calls take',
    caughtBy: ['audit-model-calls'],
    session: () => ({ recordUsage: () => undefined }),
  },
  {
    wrong: 'does not tell what the model calls of sub-agents take',
    caughtBy: ['audit-model-calls'],
    session: inForks(() => ({ recordUsage: () => undefined })),
  },
  {
    wrong: 'tells what model calls take without the numbers',
    caughtBy: ['audit-model-calls'],
    session: (session) => ({ recordUsage: () => session.recordUsage({}) }),
  },
  {
    wrong: 'swaps the tokens that went in and those that came out',
    caughtBy: ['audit-model-calls'],
    session: (session) => ({
      recordUsage: ({ inputTokens, outputTokens }) =>
        session.recordUsage({ inputTokens: outputTokens, outputTokens: inputTokens }),
    }),
  },
  {
    wrong: 'leaves out the tokens that were read from a cache',
    caughtBy: ['audit-model-calls'],
    session: (session) => ({
      recordUsage: ({ inputTokens = 0, outputTokens }) =>
        session.recordUsage({ inputTokens: inputTokens - Math.ceil(inputTokens / 8), outputTokens }),
    }),
  },
  {
    wrong: 'names another model than the one that it calls',
    caughtBy: ['audit-model-calls', 'audit-events'],
    session: (session) => ({
      beginStep: (hostTools, options) => session.beginStep(hostTools, { ...options, model: 'another' }),
    }),
  },
  {
    wrong: 'asks the session about a call before it has it carried out',
    caughtBy: ['audit-events', 'audit-resumed'],
    session: (session) => ({
      async call(call, execute, options) {
        if (!call.tool.includes('_skill')) await session.call(call, () => undefined, options)
        return session.call(call, execute, options)
      },
    }),
  },
  {
    wrong: 'runs tools before the session has them on record',
    caughtBy: ['audit-events', 'audit-required'],
    session: (session) => ({
      async call(call, execute, options) {
        const isSkillTool = call.tool.includes('_skill')
        const before = isSkillTool || call.tool !== 'Read' ? undefined : await execute?.(call)
        return session.call(call, before === undefined ? execute : () => before, options)
      },
    }),
  },
  {
    wrong: 'drops what the host finds its events by',
    caughtBy: ['audit-events', 'audit-forks', 'audit-resumed'],
    options: (options) => without(options, 'correlationId'),
  },
  {
    wrong: 'names its tasks itself',
    caughtBy: ['audit-events', 'audit-forks', 'activation-mount'],
    options: (options) => without(options, 'id'),
  },
  {
    wrong: 'gives up at the first problem of the audit',
    caughtBy: ['audit-failing-sink'],
    task(task) {
      let failed = false
      const onProblem = (): void => void (failed = true)
      return {
        ...task,
        repertoire: {
          ...task.repertoire,
          openSession(options) {
            const session = openAdapterSession(task.repertoire, { ...options, onProblem })
            return over(session, {
              call: (call, execute, given) => session.call(failed ? { ...call, tool: 'none' } : call, execute, given),
            })
          },
        },
      }
    },
  },
  {
    wrong: 'makes what a tool throws a result before the session sees it',
    caughtBy: ['audit-tool-fails'],
    session: (session) => ({
      call: (call, execute, options) =>
        session.call(
          call,
          async (judged) => {
            try {
              return await execute?.(judged)
            } catch (error) {
              return failureText(error)
            }
          },
          options,
        ),
    }),
  },
]
