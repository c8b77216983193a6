import { applyChange, type SessionChange, type SessionState } from './state.ts'

/** The state of an open session, and the changes that led to it. */
export interface StateHolder {
  /** Returns the state as it is now. */
  readonly current: () => SessionState
  readonly apply: (change: SessionChange) => void
  /** Returns the changes since the session was opened or this was last called. */
  readonly takeChanges: () => readonly SessionChange[]
}

/** @param changes those that the initial state was already made by, and that nobody has taken yet */
export function createStateHolder(initial: SessionState, changes: readonly SessionChange[] = []): StateHolder {
  let state = initial
  let pending = [...changes]
  return {
    current: () => state,
    apply(change) {
      state = applyChange(state, change)
      pending.push(change)
    },
    takeChanges() {
      const taken = pending
      pending = []
      return taken
    },
  }
}
