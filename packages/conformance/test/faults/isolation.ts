import type { Repertoire, Session } from '@repertoire/core'
import { type Fault } from './break.ts'

let leaked: Session | undefined
const sessions = new WeakMap<Repertoire, Session>()

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
          if (leaked === undefined || leaked.state.ended) leaked = task.repertoire.openSession(options)
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
          const session = sessions.get(task.repertoire) ?? task.repertoire.openSession(options)
          sessions.set(task.repertoire, session)
          return session
        },
      },
    }),
  },
]
