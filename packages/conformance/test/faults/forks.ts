import type { AdapterSession } from '@repertoire/core/adapter'
import { type Fault, forking, inForks, inspecting, over, results, ungated, without } from './break.ts'

export const forksFaults: readonly Fault[] = [
  {
    wrong: 'runs forked skills in the conversation itself',
    caughtBy: [
      'forks-result-only',
      'forks-first-request',
      'forks-consent',
      'forks-consent-suspends',
      'forks-invoked',
      'forks-two-at-once',
      'forks-error',
      'forks-nested',
      'audit-forks',
    ],
    session: forking(({ instructions }) => Promise.resolve(instructions)),
  },
  {
    wrong: 'words the result of a sub-agent itself',
    caughtBy: ['forks-result-only', 'forks-invoked'],
    session: forking(async (request, run) => {
      const result = await run(request)
      return `The sub-agent says: ${typeof result === 'string' ? result : result.text}`
    }),
  },
  {
    wrong: 'shows what a sub-agent has done beside its result',
    caughtBy: ['forks-result-only'],
    body: results((text) => text.replace('</skill_result>', 'content of a.md\n</skill_result>')),
  },
  {
    wrong: 'begins sub-agents with words of its own',
    caughtBy: ['forks-first-request'],
    session: forking((request, run) => run({ ...request, system: 'You are a helper.', message: request.instructions })),
  },
  {
    wrong: "shows sub-agents the user's messages",
    caughtBy: ['forks-first-request'],
    session: forking((request, run) => run({ ...request, message: `${request.message}\n\nThe user said: Hello` })),
  },
  {
    wrong: 'runs the tools of sub-agents beside the session',
    caughtBy: [
      'forks-rights',
      'forks-command-table',
      'forks-own-skills',
      'forks-policy',
      'forks-beside-another-call',
      'forks-deactivation',
      'audit-forks',
    ],
    session: inForks(ungated(() => true)),
  },
  {
    wrong: 'gives sub-agents the rights of their own skill, whatever is active above',
    caughtBy: ['forks-rights', 'forks-deactivation'],
    session: inForks((child) =>
      ungated((tool) => child.state.active.at(-1)?.rules?.some((rule) => rule.tool === tool && !rule.pattern) === true)(
        child,
      ),
    ),
  },
  {
    wrong: 'lets sub-agents leave every skill',
    caughtBy: ['forks-deactivation'],
    session: inForks((child) => ({
      call: (call, execute, options) =>
        call.tool === 'deactivate_skill'
          ? Promise.resolve({ ok: true, value: '', text: 'Left.' })
          : child.call(call, execute, options),
    })),
  },
  {
    wrong: 'compares the commands of sub-agents by their beginning',
    caughtBy: ['forks-command-table'],
    session: inForks(ungated((tool, input) => tool === 'Bash' && JSON.stringify(input).includes('git log'))),
  },
  {
    wrong: 'keeps a sub-agent in the place of the agent',
    caughtBy: ['forks-rights', 'forks-own-skills', 'forks-command-table'],
    session(session) {
      let after: string | undefined
      return {
        ...forking(async (request, run) => {
          const result = await run(request)
          after = request.skill
          return result
        })(session),
        beginStep: (hostTools, options) => {
          const view = session.beginStep(hostTools, options)
          return after === undefined ? view : { ...view, tools: [] }
        },
        call: (call, execute, options) =>
          after === undefined
            ? forking(async (request, run) => {
                const result = await run(request)
                after = request.skill
                return result
              })(session).call!(call, execute, options)
            : session.call({ ...call, tool: 'none' }, execute, options),
      }
    },
  },
  {
    wrong: 'asks nobody about forks',
    caughtBy: ['forks-consent-suspends'],
    session: (session) => ({
      openConsent: (call) =>
        JSON.stringify(call).includes('survey') ? Promise.resolve(undefined) : session.openConsent(call),
    }),
  },
  {
    wrong: 'runs one sub-agent for all forks of a message',
    caughtBy: ['forks-two-at-once'],
    session(session) {
      let running: Promise<unknown> | undefined
      return forking((request, run) => (running ??= run(request)) as ReturnType<typeof run>)(session)
    },
  },
  {
    wrong: 'drops the calls beside a fork',
    caughtBy: ['forks-beside-another-call'],
    session(session) {
      let forks = false
      return {
        beginStep(hostTools, options) {
          forks = false
          return session.beginStep(hostTools, options)
        },
        call(call, execute, options) {
          forks ||= JSON.stringify(call.input).includes('survey')
          return session.call(forks && call.tool === 'WebFetch' ? { ...call, tool: 'none' } : call, execute, options)
        },
      }
    },
  },
  {
    wrong: 'gives sub-agents nothing that runs their forks',
    caughtBy: ['forks-nested'],
    session: inForks((child) => ({
      call: (call, execute, options) => child.call(call, execute, { ...options, fork: undefined }),
    })),
  },
  {
    wrong: 'takes the failure of a sub-agent for its result',
    caughtBy: ['forks-error'],
    session: forking((request, run) => run(request).catch((error: unknown) => String(error))),
  },
  {
    wrong: 'takes what a sub-agent said last for its result, done or not',
    caughtBy: ['forks-endless', 'forks-error'],
    session: forking((request, run) => run(request).catch(() => '')),
  },
  {
    wrong: 'runs forks only where it has called the model itself',
    caughtBy: ['forks-in-a-fresh-process', 'forks-invoked'],
    session(session) {
      let stepped = false
      return {
        ...forking((request, run) => (stepped ? run(request) : Promise.reject(new Error('No model.'))))(session),
        beginStep(hostTools, options) {
          stepped = true
          return session.beginStep(hostTools, options)
        },
      }
    },
  },
  {
    wrong: 'does not tell sub-agents of an abort',
    caughtBy: ['forks-abort'],
    session: forking((request, run) => run({ ...request, signal: new AbortController().signal })),
  },
  {
    wrong: 'keeps the signal of the run from what a message begins',
    caughtBy: ['forks-invoked-abort'],
    session: (session) => ({
      beginTurn: (message, options = {}) => session.beginTurn(message, without(options, 'signal')),
    }),
  },
  {
    wrong: 'runs every fork with the model of the conversation',
    caughtBy: ['forks-model'],
    session: forking((request, run) => run(without(request, 'model'))),
  },
  {
    wrong: 'runs every fork by the same agent',
    caughtBy: ['forks-agent', 'forks-default-agent'],
    session: forking((request, run) => run(without(request, 'agent'))),
  },
  {
    wrong: 'knows no default agent',
    caughtBy: ['forks-default-agent'],
    task: ({ subagents = {}, ...task }) => ({ ...task, subagents: without(subagents, 'default') }),
  },
  {
    wrong: 'refuses every kind of agent where the host has none of its own',
    caughtBy: ['forks-agent'],
    task: (task) => ({ ...task, subagents: task.subagents ?? { nobody: { instructions: '' } } }),
  },
  {
    wrong: 'takes a sub-agent that waits for a person for one that is done',
    caughtBy: ['forks-approval'],
    session: forking(async (request, run) => {
      let waits = false
      const { session } = request
      const call: AdapterSession['call'] = (judged, execute, options) => {
        waits ||= judged.tool === 'Bash'
        return session.call(judged, execute, options)
      }
      const result = await run({ ...request, session: over(session, { call }) })
      return waits ? '' : result
    }),
  },
  {
    wrong: 'lets sub-agents do what needs approval',
    caughtBy: ['forks-approval'],
    session: inForks(inspecting(() => ({ preapproved: true }))),
  },
  {
    wrong: 'asks about what a sub-agent does as if it were attended',
    caughtBy: ['forks-approval'],
    session: (session, { approval }) =>
      inForks((child) => ({
        call: (call, execute, options) =>
          child.call(
            call,
            async (judged) => {
              if (approval?.tools.includes(judged.tool)) await approval.ask(judged)
              return execute?.(judged)
            },
            options,
          ),
      }))(session),
  },
]
