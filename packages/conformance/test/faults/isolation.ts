import type { Session } from '@repertoire/core'
import { type Fault } from './break.ts'

let leaked: Session | undefined

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
]
