import { SkillError, quote } from '@repertoire/skill-md/internal'
import { hmacOfText, sha256Of } from '../../text/hash.ts'
import { mergeStates } from './merge.ts'
import { parseState } from './parse.ts'
import { initialState, type SessionState, taskOf } from './state.ts'

/** A session as it is stored or sent: the state, and a seal over it. A JSON value; the order of its keys is free. */
export interface SavedSession {
  /** Frozen at every depth where it comes from `save`. */
  readonly state: SessionState
  /** HMAC-SHA-256 under the host's `sessionSecret`, hex; without a key a plain SHA-256. */
  readonly seal: string
}

/**
 * Seals a state. Without a key the seal shows damage and edits by hand, but anyone who can write where the state is
 * stored can make a new one: use a key wherever others than the host can.
 */
export function sealState(state: SessionState, key?: string): SavedSession {
  const normal = deepFrozen(parseState(state))
  return { state: normal, seal: sealOf(normal, key) }
}

function deepFrozen<T extends object>(value: T): T {
  for (const part of Object.values(value) as unknown[]) if (typeof part === 'object' && part !== null) deepFrozen(part)
  return Object.freeze(value)
}

/**
 * Returns the state of a saved session.
 * @throws {SkillError} STATE_INVALID (not the shape of a saved session), STATE_TAMPERED (the seal does not fit)
 */
export function unsealState(saved: unknown, key?: string): SessionState {
  const { state, seal } = Object(saved) as Partial<SavedSession>
  const normal = parseState(state)
  if (typeof seal !== 'string' || !sameText(seal, sealOf(normal, key))) {
    throw new SkillError(
      'STATE_TAMPERED',
      `The saved session ${quote(normal.id)} was changed after it was saved, or was sealed with another sessionSecret. Open a new session instead.`,
    )
  }
  return normal
}

// `parseState` returns properties in a fixed order, so a database that reorders keys does not break the seal.
function sealOf(normal: SessionState, key: string | undefined): string {
  const text = JSON.stringify(normal)
  return key === undefined ? sha256Of(text) : hmacOfText(key, text)
}

/** Compares in constant time, which does not reveal how much of the seal was right. */
function sameText(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  let difference = 0
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i)
  return difference === 0
}

/**
 * Merges two branches of a saved session. Pure. A branch of another session, or of another tenant's, changes nothing.
 * @param base what both branches began with. Undefined: there was no session yet
 * @param one undefined: nothing has happened in it
 * @throws {SkillError} STATE_INVALID (not the shape of a saved session), STATE_TAMPERED
 */
export function mergeSaved(
  base: SavedSession | undefined,
  one: SavedSession | undefined,
  other: SavedSession,
  sessionSecret: string | undefined,
): SavedSession {
  const theirs = unsealState(other, sessionSecret)
  if (one === undefined) return { state: theirs, seal: other.seal }
  const mine = unsealState(one, sessionSecret)
  if (taskOf(mine) !== taskOf(theirs)) return one
  if (one.seal === base?.seal) return { state: theirs, seal: other.seal }
  const began = base === undefined ? initialState(mine.id) : unsealState(base, sessionSecret)
  return sealState(mergeStates(began, mine, theirs), sessionSecret)
}

/**
 * Returns a saved session's state if it can be resumed.
 * @throws {SkillError} STATE_INVALID: it is another session than the one asked for. SESSION_ENDED
 */
export function checkResumed(state: SessionState, id: string | undefined): SessionState {
  if (id !== undefined && state.id !== id) {
    throw new SkillError(
      'STATE_INVALID',
      `The saved session is ${quote(state.id)} and not ${quote(id)}: consent and activations of one task do not apply to another.`,
    )
  }
  if (state.ended)
    throw new SkillError('SESSION_ENDED', `The saved session ${quote(state.id)} has ended. Open a new one.`)
  return state
}
