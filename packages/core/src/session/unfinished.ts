import type { SessionProblem } from '../ports/problem.ts'
import { type SessionState, taskOf } from './state/state.ts'

interface NotedSession {
  /** Its own, see `taskOf`; of a fork that of the session at the top. */
  readonly task: string
  readonly reportProblem: (problem: SessionProblem) => void
}

/** The sessions of a repertoire whose active skills would be lost if it were closed now. */
export interface UnfinishedSessions {
  /** Notes that a skill has become active. A fork ends with its task. */
  readonly note: (session: NotedSession, state: Pick<SessionState, 'id' | 'tenant'>) => void
  /** Forgets a session that was ended, or whose state was taken. */
  readonly delete: (state: Pick<SessionState, 'id' | 'tenant'>) => void
  /** Reports to each session that nobody has ended or saved it. */
  readonly report: () => void
}

/** A host that forgets one forgets all: a few tell it. */
const MAX_NOTED = 100

export function createUnfinishedSessions(): UnfinishedSessions {
  const noted = new Map<string, { readonly id: string; readonly reportProblem: NotedSession['reportProblem'] }>()
  return {
    note({ task, reportProblem }, state) {
      if (taskOf(state) === task && noted.size < MAX_NOTED) noted.set(task, { id: state.id, reportProblem })
    },
    delete: (state) => void noted.delete(taskOf(state)),
    report() {
      for (const { id, reportProblem } of noted.values()) {
        reportProblem({
          code: 'SESSION_NOT_ENDED',
          message: `The repertoire was closed while the session ${JSON.stringify(id)} had active skills, and it was neither ended nor saved: their post hooks have not run. Call \`session.end()\` when a task is over, or use \`runTask\`; \`session.save()\` keeps one for later.`,
        })
      }
      noted.clear()
    },
  }
}
