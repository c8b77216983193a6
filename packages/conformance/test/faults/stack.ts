import type { ToolCall } from '@repertoire/core'
import { openAdapterSession, type AdapterSession } from '@repertoire/core/adapter'
import { type Fault, results, ungated } from './break.ts'

/** A call that is yet to be carried out. */
interface Waiting {
  readonly call: ToolCall
  readonly begin: () => void
}

/** Carries the calls of one message out in another order. */
const inOrder =
  (order: (calls: readonly Waiting[]) => readonly Waiting[]) =>
  (session: AdapterSession): Partial<AdapterSession> => {
    let waiting: Waiting[] = []
    return {
      call(call, execute, options) {
        // The calls of one message come in one tick.
        if (waiting.length === 0) {
          queueMicrotask(() => {
            const calls = waiting
            waiting = []
            for (const { begin } of order(calls)) begin()
          })
        }
        return new Promise((resolve, reject) => {
          waiting.push({ call, begin: () => void session.call(call, execute, options).then(resolve, reject) })
        })
      },
    }
  }

/** The session as it was before the calls of a message. */
const own = new WeakMap<AdapterSession, { readonly saved: ReturnType<AdapterSession['save']> }>()

export const stackFaults: readonly Fault[] = [
  {
    wrong: 'lets any skill be left',
    caughtBy: ['stack-top-only', 'stack-words-of-core'],
    body: results((text) => (text.includes('SKILL_NOT_ON_TOP') || text.includes('SKILL_NOT_ACTIVE') ? 'Left.' : text)),
  },
  {
    wrong: 'leaves all skills at once',
    caughtBy: ['stack-order'],
    session: (session, task) => ({
      async call(call, execute, options) {
        let outcome = await session.call(call, execute, options)
        if (call.tool === 'deactivate_skill')
          while (outcome.ok && session.state.active.length > 0) {
            session.beginStep(task.tools.map(({ name }) => name))
            outcome = await session.call({ ...call, input: {} }, execute)
          }
        return outcome
      },
    }),
  },
  {
    wrong: 'carries each call of a message out as if those before it were past',
    caughtBy: ['stack-same-message'],
    session: (session, task) => {
      let last: Promise<unknown> = Promise.resolve()
      return {
        call(call, execute, options) {
          const outcome = last.then(() => {
            session.beginStep(task.tools.map(({ name }) => name))
            return session.call(call, execute, options)
          })
          last = outcome.catch(() => undefined)
          return outcome
        },
      }
    },
  },
  {
    wrong: 'carries each call of a message out over a session of its own, as the last step left it',
    caughtBy: ['stack-again'],
    session: (session, task) => ({
      async call(call, execute, options) {
        if (call.tool !== 'activate_skill') return session.call(call, execute, options)
        const { saved: before } = own.get(session) ?? {}
        own.set(session, { saved: before ?? session.save() })
        const outcome = await session.call(call, execute, options)
        if (!outcome.ok || outcome.text?.includes('already active') !== true || before === undefined) return outcome
        const alone = openAdapterSession(task.repertoire, { ...task.session, saved: before })
        return alone.call(call, execute, options)
      },
      beginStep(names, options) {
        own.delete(session)
        return session.beginStep(names, options)
      },
    }),
  },
  {
    wrong: 'lets the top skill alone decide, so that another skill widens the first',
    caughtBy: ['stack-intersection'],
    session: (session) =>
      ungated((tool) => session.state.active.at(-1)?.rules?.some((rule) => rule.tool === tool) === true)(session),
  },
  {
    wrong: 'carries the calls of one message out from the last to the first',
    caughtBy: ['stack-call-order', 'stack-answer-order', 'gate-call-order', 'consent-one-at-a-time'],
    session: inOrder((calls) => calls.toReversed()),
  },
  {
    wrong: 'carries calls out in the order in which people answer',
    caughtBy: ['stack-answer-order'],
    session: (session) => {
      const answered: string[] = []
      return {
        answer(answer) {
          answered.push(session.state.open.find(({ id }) => id === answer.requestId)?.callId ?? '')
          session.answer(answer)
        },
        ...inOrder((calls) => calls.toSorted((a, b) => answered.indexOf(a.call.id) - answered.indexOf(b.call.id)))(
          session,
        ),
      }
    },
  },
  {
    wrong: 'carries calls out one after the other',
    caughtBy: ['gate-side-by-side'],
    session: (session) => {
      let last: Promise<unknown> = Promise.resolve()
      return {
        call(call, execute, options) {
          const outcome = last.then(() => session.call(call, execute, options))
          last = outcome.catch(() => undefined)
          return outcome
        },
      }
    },
  },
]
