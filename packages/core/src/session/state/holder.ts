import type { ConsentDecision } from '../../ports/consent.ts'
import {
  type ActiveSkill,
  applyChange,
  type OpenRequest,
  sameGrant,
  type SessionChange,
  type SessionState,
} from './state.ts'

/** The state of an open session, and the changes that led to it. */
export interface StateHolder {
  /** Returns the state as it is now. */
  readonly current: () => SessionState
  readonly apply: (change: SessionChange) => void
  /** Whether an answer came for a request that is not open. */
  readonly hasUnknownAnswer: () => boolean
  /** What the session's handler has said of requests, by their ids. It is used at once, and never saved. */
  readonly handled: Map<string, ConsentDecision>
  /** Returns the changes since the session was opened or this was last called. */
  readonly takeChanges: () => readonly SessionChange[]
}

/** What a session begins with, and the changes by which it came to be so, which nobody has taken yet. */
export interface InitialState {
  readonly state: SessionState
  readonly changes: readonly SessionChange[]
}

/** Changes that wait to be taken. Some frameworks never take any, and a session may go on for days. */
const MAX_PENDING = 1_000

/** Holds the state of one session. */
export function createStateHolder(initial: InitialState): StateHolder {
  let { state } = initial
  let opening = initial.changes
  let pending: SessionChange[] = []
  /** What the pending changes began with. */
  let before = state
  let maxPending = MAX_PENDING
  let hasUnknownAnswer = false
  return {
    current: () => state,
    apply(change) {
      if (change.type === 'answered' && !state.open.some(({ id }) => id === change.id)) hasUnknownAnswer = true
      state = applyChange(state, change)
      pending.push(change)
      if (pending.length <= maxPending) return
      pending = [...stateDifference(before, state)]
      maxPending = Math.max(MAX_PENDING, 2 * pending.length)
    },
    hasUnknownAnswer: () => hasUnknownAnswer,
    handled: new Map(),
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

/**
 * Returns the changes that lead from one state of a session to a later one: as few as are needed, however many there
 * were.
 */
export function stateDifference(before: SessionState, after: SessionState): readonly SessionChange[] {
  const { id, correlationId, tenant } = after
  const isSame = correlationId === before.correlationId && tenant === before.tenant
  const opened: readonly SessionChange[] = isSame ? [] : [{ type: 'opened', id, correlationId, tenant }]
  // The end forgets where the session was stored.
  if (after.ended) {
    return before.ended
      ? storedChanges(before.stored, after.stored)
      : [...opened, { type: 'ended' }, ...storedChanges(undefined, after.stored)]
  }
  return [
    ...opened,
    ...usedChanges(before, after),
    ...requestChanges(before.open, after.open),
    ...grantChanges(before, after),
    ...stackChanges(before.active, after.active),
    ...summaryChanges(before.summary, after.summary),
    ...stepChanges(before, after),
    ...guidedChanges(before, after),
    ...matchedChanges(before, after),
    ...storedChanges(before.stored, after.stored),
  ]
}

function storedChanges(before: SessionState['stored'], after: SessionState['stored']): readonly SessionChange[] {
  if (after === undefined || JSON.stringify(after) === JSON.stringify(before)) return []
  return [{ type: 'stored', mark: after }]
}

function usedChanges({ used: before = [] }: SessionState, { used = [] }: SessionState): readonly SessionChange[] {
  return used.filter((id) => !before.includes(id)).map((id) => ({ type: 'used', id }))
}

function summaryChanges(before: SessionState['summary'], after: SessionState['summary']): readonly SessionChange[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return []
  if (after !== undefined) return [{ type: 'summarized', summary: after }]
  return before === undefined ? [] : [{ type: 'forgotten', digest: before.digest }]
}

/** The requests that both have, in one order, stay; all others are removed, and those that there are now are opened. */
function requestChanges(before: readonly OpenRequest[], after: readonly OpenRequest[]): readonly SessionChange[] {
  const kept = new Map<string, OpenRequest>()
  for (const request of before) {
    const next = after[kept.size]
    if (next !== undefined && mayBecome(request, next)) kept.set(request.id, request)
  }
  const settled = before.filter(({ id }) => !kept.has(id)).map(({ id }) => ({ type: 'settled' as const, id }))
  const answered = after.slice(0, kept.size).flatMap(({ id, approved, reason }): readonly SessionChange[] => {
    if (approved === undefined || kept.get(id)?.approved !== undefined) return []
    return [{ type: 'answered', id, approved, reason }]
  })
  return [...settled, ...answered, ...after.slice(kept.size).map((request) => ({ type: 'asked' as const, request }))]
}

/** Whether a request is the same one, at most answered since. */
function mayBecome({ approved, reason, ...asked }: OpenRequest, later: OpenRequest): boolean {
  const { approved: _, reason: __, ...askedLater } = later
  if (JSON.stringify(asked) !== JSON.stringify(askedLater)) return false
  return approved === undefined ? reason === undefined : approved === later.approved && reason === later.reason
}

function grantChanges(before: SessionState, after: SessionState): readonly SessionChange[] {
  return after.granted
    .filter((grant) => !before.granted.some((known) => sameGrant(known, grant)))
    .map((grant) => ({ type: 'granted', grant }))
}

function stepChanges({ steps: before = 0 }: SessionState, { steps = 0 }: SessionState): readonly SessionChange[] {
  return steps > before ? [{ type: 'stepped', steps }] : []
}

/** The skill whose activation has shown the guidance may no longer be active. */
function guidedChanges(before: SessionState, { guided }: SessionState): readonly SessionChange[] {
  return guided === before.guided ? [] : [{ type: 'guided' }]
}

function matchedChanges({ matched: before }: SessionState, { matched }: SessionState): readonly SessionChange[] {
  if (matched === undefined || JSON.stringify(matched) === JSON.stringify(before)) return []
  return [{ type: 'matched', names: matched }]
}

/** What both stacks begin with stays; above it, everything is removed, and what there is now is pushed. */
function stackChanges(before: readonly ActiveSkill[], after: readonly ActiveSkill[]): readonly SessionChange[] {
  const isKept = (skill: ActiveSkill, index: number): boolean => isSameActivation(skill, after[index])
  const firstOther = before.findIndex((skill, index) => !isKept(skill, index))
  const kept = firstOther === -1 ? before.length : firstOther
  const removed = before.slice(kept).toReversed()
  return [
    ...removed.map(({ name }) => ({ type: 'deactivated' as const, name })),
    ...after.slice(kept).map((skill) => ({ type: 'activated' as const, skill })),
  ]
}

/** Whether a skill is the one that was activated then. */
function isSameActivation(skill: ActiveSkill, other: ActiveSkill | undefined): boolean {
  return JSON.stringify(skill) === JSON.stringify(other)
}
