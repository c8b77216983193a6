import type { Repertoire } from '@repertoire/core'
import { openAdapterSession, type AdapterSession } from '@repertoire/core/adapter'
import { type Fault } from './break.ts'

let leaked: AdapterSession | undefined
const sessions = new WeakMap<Repertoire, AdapterSession>()

export const isolationFaults: readonly Fault[] = [
  {
    wrong: 'shares one session among all conversations',
    caughtBy: ['isolation-two-conversations', 'isolation-consent', 'isolation-unrestricted-neighbour'],
    task: (task) => ({
      ...task,
      repertoire: {
        ...task.repertoire,
        openSession(options) {
          // The trials of one check follow one another closely; a new check begins with a session that has ended.
          if (leaked === undefined || leaked.state.ended) leaked = openAdapterSession(task.repertoire, options)
          return leaked
        },
      },
    }),
  },
  {
    wrong: 'opens one session for a whole repertoire',
    caughtBy: ['isolation-one-repertoire'],
    task: (task) => ({
      ...task,
      repertoire: {
        ...task.repertoire,
        openSession(options) {
          const session = sessions.get(task.repertoire) ?? openAdapterSession(task.repertoire, options)
          sessions.set(task.repertoire, session)
          return session
        },
      },
    }),
  },
]
