import { stateDifference } from './difference.ts'
import { applyChange, type SessionChange, type SessionState } from './state.ts'

/** The state of an open session, and the changes that led to it. */
export interface StateHolder {
  /** Returns the state as it is now. */
  readonly current: () => SessionState
  readonly apply: (change: SessionChange) => void
  /** Returns the changes since the session was opened or this was last called. */
  readonly takeChanges: () => readonly SessionChange[]
}

/** Changes that wait to be taken. Some frameworks never take any, and a session may go on for days. */
const MAX_PENDING = 1_000

/** @param changes those that the initial state was already made by, and that nobody has taken yet */
export function createStateHolder(initial: SessionState, changes: readonly SessionChange[] = []): StateHolder {
  let state = initial
  let opening = changes
  let pending: SessionChange[] = []
  /** What the pending changes began with. */
  let before = initial
  let maxPending = MAX_PENDING
  return {
    current: () => state,
    apply(change) {
      state = applyChange(state, change)
      pending.push(change)
      if (pending.length <= maxPending) return
      pending = [...stateDifference(before, state)]
      maxPending = Math.max(MAX_PENDING, 2 * pending.length)
    },
    takeChanges() {
      const taken = [...opening, ...pending]
      opening = []
      pending = []
      before = state
      maxPending = MAX_PENDING
      return taken
    },
  }
}
