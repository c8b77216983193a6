import { type Fault, results, ungated } from './break.ts'

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
    wrong: 'lets the top skill alone decide, so that another skill widens the first',
    caughtBy: ['stack-intersection'],
    session: (session) =>
      ungated((tool) => session.state.active.at(-1)?.rules?.some((rule) => rule.tool === tool) === true)(session),
  },
]
