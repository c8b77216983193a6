import type { ConsentDecision } from '../../ports/consent.ts'
import { applyChange, type SessionChange, type SessionState } from './state.ts'

/** The state of an open session. */
export interface StateHolder {
  /** Returns the state as it is now. */
  readonly current: () => SessionState
  readonly apply: (change: SessionChange) => void
  readonly hasUnknownAnswer: () => boolean
  /** What the session's handler has said of requests, by their ids. It is used at once, and never saved. */
  readonly handled: Map<string, ConsentDecision>
}

/** Holds the state of one session. */
export function createStateHolder(initial: SessionState): StateHolder {
  let state = initial
  let hasUnknownAnswer = false
  return {
    current: () => state,
    apply(change) {
      if (change.type === 'answered' && !state.open.some(({ id }) => id === change.id)) hasUnknownAnswer = true
      state = applyChange(state, change)
    },
    hasUnknownAnswer: () => hasUnknownAnswer,
    handled: new Map(),
  }
}
