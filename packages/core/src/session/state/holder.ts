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
  return new HeldState(initial, changes)
}

const NONE: readonly SessionChange[] = Object.freeze([])

/** A class, since frameworks open a session for every call, and closures of its own for each take longer to make. */
class HeldState implements StateHolder {
  #state: SessionState
  #opening: readonly SessionChange[]
  #pending: SessionChange[] | undefined
  /** What the pending changes began with. */
  #before: SessionState
  #maxPending = MAX_PENDING

  constructor(initial: SessionState, changes: readonly SessionChange[]) {
    this.#state = initial
    this.#before = initial
    this.#opening = changes
  }

  current(): SessionState {
    return this.#state
  }

  apply(change: SessionChange): void {
    this.#state = applyChange(this.#state, change)
    const pending = (this.#pending ??= [])
    pending.push(change)
    if (pending.length <= this.#maxPending) return
    this.#pending = [...stateDifference(this.#before, this.#state)]
    this.#maxPending = Math.max(MAX_PENDING, 2 * this.#pending.length)
  }

  takeChanges(): readonly SessionChange[] {
    const opening = this.#opening
    const pending = this.#pending
    if (pending === undefined && opening.length === 0) return NONE
    this.#opening = NONE
    this.#pending = undefined
    this.#before = this.#state
    this.#maxPending = MAX_PENDING
    return pending === undefined ? [...opening] : [...opening, ...pending]
  }
}
