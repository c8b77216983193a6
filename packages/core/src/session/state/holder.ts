import { stateDifference } from './difference.ts'
import { applyChange, initialState, type SessionChange, type SessionState } from './state.ts'

/** The state of an open session, and the changes that led to it. */
export interface StateHolder {
  /** Returns the state as it is now. */
  readonly current: () => SessionState
  /** Returns the same, but without an id as long as nobody has needed one: to make the first takes time. */
  readonly unnamed: () => UnnamedState
  readonly apply: (change: SessionChange) => void
  /** Returns the changes since the session was opened or this was last called. */
  readonly takeChanges: () => readonly SessionChange[]
}

type UnnamedState = Omit<SessionState, 'id'> & Partial<Pick<SessionState, 'id'>>

/** What a session begins with, and the changes by which it came to be so, which nobody has taken yet. */
export interface Beginning {
  readonly state: SessionState
  readonly changes: readonly SessionChange[]
}

/** Changes that wait to be taken. Some frameworks never take any, and a session may go on for days. */
const MAX_PENDING = 1_000

/** @param beginning a function: it makes the id of a new session, and is called when somebody needs that */
export function createStateHolder(beginning: Beginning | (() => Beginning)): StateHolder {
  return new HeldState(beginning)
}

const NONE: readonly SessionChange[] = Object.freeze([])

const { id: _, ...NEW } = initialState('')

/** A class, since frameworks open a session for every call, and closures of its own for each take longer to make. */
class HeldState implements StateHolder {
  #begin: (() => Beginning) | undefined
  #state: SessionState | undefined
  #opening: readonly SessionChange[] = NONE
  #pending: SessionChange[] | undefined
  /** What the pending changes began with. */
  #before: SessionState | undefined
  #maxPending = MAX_PENDING

  constructor(beginning: Beginning | (() => Beginning)) {
    if (typeof beginning === 'function') this.#begin = beginning
    else this.#open(beginning)
  }

  #open({ state, changes }: Beginning): SessionState {
    this.#begin = undefined
    this.#before = state
    this.#opening = changes
    return (this.#state = state)
  }

  current(): SessionState {
    return this.#state ?? this.#open(this.#begin!())
  }

  unnamed(): UnnamedState {
    return this.#state ?? NEW
  }

  apply(change: SessionChange): void {
    const next = applyChange(this.current(), change)
    this.#state = next
    const pending = (this.#pending ??= [])
    pending.push(change)
    if (pending.length <= this.#maxPending) return
    this.#pending = [...stateDifference(this.#before!, next)]
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
