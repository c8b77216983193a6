import type { ConsentHandler } from '@repertoire/core'
import { openAdapterSession, type AdapterSession } from '@repertoire/core/adapter'
import type { TaskSetup } from '../../src/driver.ts'
import { argument, type Fault, forking, over, without, handlerOf } from './break.ts'

/** Asks the host's handler in the place of the session, about every call as soon as it comes. */
const askingItself = (session: AdapterSession, task: TaskSetup): Partial<AdapterSession> => ({
  openConsent: () => Promise.resolve(undefined),
  async call(call, execute, options) {
    const handler = handlerOf(task.session.consent)
    const request = await session.openConsent(call)
    if (request !== undefined && handler !== undefined) {
      const { signal } = new AbortController()
      const approved = (await handler(request, { signal })) === true
      session.answer({ requestId: request.id, approved })
    }
    return session.call(call, execute, options)
  },
})

/** Opens a session for each call of a tool, as the last step left it, which knows nothing of the other calls. */
const alone =
  (tool: string) =>
  (session: AdapterSession, task: TaskSetup): Partial<AdapterSession> => {
    let before: ReturnType<AdapterSession['save']> | undefined
    return {
      beginStep(names, options) {
        const view = session.beginStep(names, options)
        before = session.save()
        return view
      },
      call(call, execute, options) {
        if (call.tool !== tool || before === undefined) return session.call(call, execute, options)
        return openAdapterSession(task.repertoire, { ...task.session, saved: before }).call(call, execute, options)
      },
    }
  }

export const oneQuestionFaults: readonly Fault[] = [
  {
    wrong: 'asks about all calls of a message at once',
    caughtBy: ['consent-one-answer-one-call', 'consent-one-at-a-time'],
    options: (options) => without(options, 'consent'),
    session: askingItself,
  },
  {
    wrong: 'activates each skill of a message in a session of its own that is not told the message',
    caughtBy: ['consent-named-three-times'],
    session: alone('activate_skill'),
  },
  {
    wrong: 'deactivates each skill of a message in a session of its own that is not told the message',
    caughtBy: ['stack-two-left'],
    session: alone('deactivate_skill'),
  },
  {
    wrong: 'asks in a sub-agent beside the questions of the session',
    caughtBy: ['consent-forks-share'],
    session: (session, task) => {
      const handler: ConsentHandler = handlerOf(task.session.consent) ?? (() => false)
      return forking((request, run) => {
        const child: Partial<AdapterSession> = {
          async call(call, execute, options) {
            const skill = argument(call.input, 'name')
            await handler({ id: call.id, skill } as never, { signal: request.signal })
            return request.session.call(call, execute, options)
          },
        }
        return run({ ...request, session: over(request.session, child) })
      })(session)
    },
  },
]
