import { openAdapterSession } from '@repertoire/core/adapter'
import type { ApprovalAnswer, TaskApproval, TaskSetup } from '../../src/driver.ts'
import { argument, type Fault, handlerOf, inspecting, without } from './break.ts'

/** Puts somebody else in the place of the person who approves. */
const withPerson =
  (ask: (task: TaskSetup, call: Parameters<TaskApproval['ask']>[0]) => Promise<ApprovalAnswer>) =>
  (task: TaskSetup): TaskSetup => ({
    ...task,
    ...(task.approval && { approval: { ...task.approval, ask: (call) => ask(task, call) } }),
  })

export const consentFaults: readonly Fault[] = [
  {
    wrong: 'never asks',
    caughtBy: [
      'consent-asked-before-activation',
      'consent-denied',
      'consent-only-a-clear-yes',
      'consent-once-a-session',
      'consent-digest',
      'consent-suspends',
      'consent-suspended-no',
      'consent-own-tool',
      'consent-own-tool-suspends',
      'consent-call-asked',
      'consent-call-suspends',
      'isolation-consent',
      'turns-invocation-consent',
      'turns-invocation-digest',
      'turns-triggers-activate',
      'forks-consent',
      'audit-person',
      'activation-mount-end',
    ],
    options: (options) => ({ ...options, consent: ({ id }) => ({ requestId: id, approved: true }) }),
  },
  {
    wrong: 'takes any answer that is not false for a yes',
    caughtBy: ['consent-only-a-clear-yes'],
    options: ({ consent, ...options }) => ({
      ...options,
      ...(handlerOf(consent) && {
        consent: async (request, asking) =>
          (await Promise.resolve(handlerOf(consent)!(request, asking)).catch(() => true)) !== false,
      }),
    }),
  },
  {
    wrong: 'asks every time',
    caughtBy: ['consent-once-a-session', 'cleanup-resume-consent'],
    session: (session, task) => ({
      async call(call, execute, options) {
        const consent = handlerOf(task.session.consent)
        if (call.tool === 'activate_skill' && consent !== undefined && session.state.granted.length > 0) {
          const request = { id: 'again' } as never
          const answer = await handlerOf(consent)!(request, { signal: new AbortController().signal })
          if (answer !== true) return { ok: true, value: '', text: 'Denied.' }
        }
        return session.call(call, execute, options)
      },
    }),
  },
  {
    wrong: 'asks once for a name, whatever the folder holds',
    caughtBy: ['consent-digest', 'consent-changed-while-asked', 'turns-invocation-digest'],
    options: ({ consent, ...options }) => {
      const known = new Set<string>()
      return {
        ...options,
        ...(handlerOf(consent) && {
          consent: (request, asking) => {
            if (request.skill !== undefined && known.has(request.skill)) return true
            if (request.skill !== undefined) known.add(request.skill)
            return handlerOf(consent)!(request, asking)
          },
        }),
      }
    },
  },
  {
    wrong: 'drops the reason of a no',
    caughtBy: ['consent-suspended-no'],
    session: (session) => ({ answer: ({ requestId, approved }) => session.answer({ requestId, approved }) }),
  },
  {
    wrong: 'lets one yes serve every open question',
    caughtBy: ['consent-for-this-call-only'],
    session: (session) => ({
      answer(answer) {
        for (const open of session.state.open)
          session.answer({ requestId: open.id, approved: answer.approved || open.approved === undefined })
      },
    }),
  },
  {
    wrong: 'accepts a yes without checking which consent request it answers',
    caughtBy: ['consent-not-from-before'],
    session: (session) => ({
      answer({ approved }) {
        const open = session.state.open.findLast((request) => request.approved === undefined)
        if (open !== undefined) session.answer({ requestId: open.id, approved })
      },
    }),
  },
  {
    wrong: 'goes on with an old yes for a folder that has changed',
    caughtBy: ['consent-changed-meanwhile'],
    session: (session) => {
      let yes = false
      return {
        answer(answer) {
          yes = answer.approved
          session.answer(answer)
        },
        async call(call, execute, options) {
          if (yes && call.tool === 'activate_skill') {
            const request = await session.openConsent(call)
            if (request !== undefined) session.answer({ requestId: request.id, approved: true })
          }
          return session.call(call, execute, options)
        },
      }
    },
  },
  {
    wrong: 'asks about each skill once, whatever became of its folder since',
    caughtBy: ['consent-changed-meanwhile'],
    session: (session) => {
      const asked = new Set<string>()
      return {
        async openConsent(call, options) {
          const request = await session.openConsent(call, options)
          if (request?.skill === undefined || asked.has(request.skill)) return undefined
          asked.add(request.skill)
          return request
        },
      }
    },
  },
  {
    wrong: 'saves the messages and not the session',
    caughtBy: [
      'consent-in-a-fresh-process',
      'cleanup-resume',
      'cleanup-resume-consent',
      'turns-invocation-resumed',
      'turns-reminder-resumed',
      'activation-hooks-resumed',
    ],
    conversation: (conversation, task) => ({
      save: async () => ({
        ...((await conversation.save()) as object),
        session: openAdapterSession(task.repertoire, task.session).save(),
      }),
    }),
  },
  {
    wrong: "drops the host's own approval of its tools",
    caughtBy: ['consent-approval', 'consent-approval-preapproved', 'consent-approval-refused', 'forks-approval'],
    task: (task) => without(task, 'approval'),
  },
  {
    wrong: 'runs what a person has denied',
    caughtBy: ['consent-approval'],
    task: withPerson(async ({ approval }, call) => {
      await approval?.ask(call)
      return { approved: true }
    }),
  },
  {
    wrong: 'drops the reason of a person who denies a call',
    caughtBy: ['consent-approval'],
    task: withPerson(async ({ approval }, call) => {
      const answer = await approval?.ask(call)
      return { approved: answer?.approved === true }
    }),
  },
  {
    wrong: 'denies whatever needs approval',
    caughtBy: ['consent-approval', 'consent-approval-preapproved', 'consent-approval-refused'],
    task: withPerson(() => Promise.resolve({ approved: false })),
  },
  {
    wrong: 'finds what needs approval by the name that the model wrote',
    caughtBy: ['consent-approval'],
    session: (session) => ({
      async call(call, execute, options) {
        if (call.tool !== 'bash') return session.call(call, execute, options)
        return session.call(call, ({ input }) => `ran: ${argument(input, 'command')}`, options)
      },
    }),
  },
  {
    wrong: 'has a person approve what the active skills list, too',
    caughtBy: ['consent-approval-preapproved'],
    session: inspecting(() => ({ preapproved: false })),
  },
  {
    wrong: 'takes the mode `preapprove` for an approval of everything',
    caughtBy: ['consent-approval-preapproved'],
    session: (session, { session: { enforcement } }) =>
      inspecting(() => ({ preapproved: enforcement === 'preapprove' }))(session),
  },
  {
    wrong: 'has a person approve calls before it asks the session about them',
    caughtBy: ['consent-approval-refused'],
    session: (session, { approval }) => ({
      async call(call, execute, options) {
        const asks = approval?.tools.includes(call.tool) === true && (await session.inspect(call)).refusal !== undefined
        if (asks) await approval.ask(call)
        return session.call(call, execute, options)
      },
    }),
  },
]
