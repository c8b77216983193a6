import { stateDifference } from './difference.ts'
import { applyChange, type SessionChange, type SessionState } from './state.ts'

/** The state of an open session, and the changes that led to it. */
export interface StateHolder {
  /** Returns the state as it is now. */
  readonly current: () => SessionState
  readonly apply: (change: SessionChange) => void
  /** Whether an answer came for a request that is not open. */
  readonly hasUnknownAnswer: () => boolean
  /** Returns the changes since the session was opened or this was last called. */
  readonly takeChanges: () => readonly SessionChange[]
}

/** What a session begins with, and the changes by which it came to be so, which nobody has taken yet. */
export interface Beginning {
  readonly state: SessionState
  readonly changes: readonly SessionChange[]
}

/** Changes that wait to be taken. Some frameworks never take any, and a session may go on for days. */
const MAX_PENDING = 1_000

export function createStateHolder(beginning: Beginning): StateHolder {
  return new HeldState(beginning)
}

const NONE: readonly SessionChange[] = Object.freeze([])

class HeldState implements StateHolder {
  #state: SessionState
  #opening: readonly SessionChange[]
  #pending: SessionChange[] | undefined
  /** What the pending changes began with. */
  #before: SessionState
  #maxPending = MAX_PENDING
  #hasUnknownAnswer = false

  constructor({ state, changes }: Beginning) {
    this.#state = state
    this.#before = state
    this.#opening = changes
  }

  current(): SessionState {
    return this.#state
  }

  hasUnknownAnswer(): boolean {
    return this.#hasUnknownAnswer
  }

  apply(change: SessionChange): void {
    if (change.type === 'answered' && !this.current().open.some(({ id }) => id === change.id)) {
      this.#hasUnknownAnswer = true
    }
    const next = applyChange(this.current(), change)
    this.#state = next
    const pending = (this.#pending ??= [])
    pending.push(change)
    if (pending.length <= this.#maxPending) return
    this.#pending = [...stateDifference(this.#before, next)]
    this.#maxPending = Math.max(MAX_PENDING, 2 * this.#pending.length)
  }

  takeChanges(): readonly SessionChange[] {
    const state = this.current()
    const opening = this.#opening
    const pending = this.#pending
    if (pending === undefined && opening.length === 0) return NONE
    this.#opening = NONE
    this.#pending = undefined
    this.#before = state
    this.#maxPending = MAX_PENDING
    return pending === undefined ? [...opening] : [...opening, ...pending]
  }
}
