import { SkillError, quote } from '@repertoire/skill-md/internal'
import { hmacOfText, sha256Of, sortKeys } from '../../text/hash.ts'
import { parseChanges, parseState } from './parse.ts'
import { applyChange, initialState, type SessionChange, type SessionState } from './state.ts'

/** A session as it is stored or sent: the state, and a seal over it. A JSON value; the order of its keys is free. */
export interface SavedSession {
  /** Frozen at every depth where it comes from `save` or `advance`. */
  readonly state: SessionState
  /** HMAC-SHA-256 under the host's `sessionSecret`, hex; without a key a plain SHA-256. */
  readonly seal: string
}

/**
 * Seals a state. Without a key the seal shows damage and edits by hand, but anyone who can write where the state is stored
 * can make a new one: use a key wherever others than the host can.
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

/** Changes on their way to where the state is stored, which may be stored too. A JSON value; the order of its keys is free. */
export interface SealedChanges {
  /** The id of the session. */
  readonly session: string
  readonly changes: readonly SessionChange[]
  /** As the seal of a saved session, over both. */
  readonly seal: string
}

/** Seals changes of a session, with the key that its state is sealed with. */
export function sealChanges(session: string, changes: readonly SessionChange[], key?: string): SealedChanges {
  return { session, changes, seal: hashOf(textOfChanges(session, changes), key) }
}

/**
 * Returns the changes that were sealed.
 * @throws {SkillError} STATE_TAMPERED
 */
function unsealChanges({ session, changes, seal }: SealedChanges, key?: string): readonly SessionChange[] {
  const text = textIfAny(session, changes)
  if (typeof seal === 'string' && text !== undefined && sameText(seal, hashOf(text, key))) {
    // As they were sealed: an object with a `toJSON` of its own may hold other changes than it writes.
    return (JSON.parse(text) as readonly [string, readonly SessionChange[]])[1]
  }
  throw new SkillError(
    'STATE_TAMPERED',
    'The changes of a session were modified after they were saved, or were sealed with another sessionSecret. Open a new session instead.',
  )
}

/** Undefined for values that JSON cannot carry: they were never sealed. */
function textIfAny(session: string, changes: readonly SessionChange[]): string | undefined {
  try {
    return textOfChanges(session, changes)
  } catch {
    return undefined
  }
}

function textOfChanges(session: string, changes: readonly SessionChange[]): string {
  return JSON.stringify([session, changes], sortKeys)
}

// `parseState` returns properties in a fixed order, so a database that reorders keys does not break the seal.
function sealOf(normal: SessionState, key: string | undefined): string {
  return hashOf(JSON.stringify(normal), key)
}

function hashOf(text: string, key: string | undefined): string {
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
 * Applies changes to a saved session. Pure. Returns undefined where there is no session yet and the changes do not begin
 * with its opening; changes of another session change nothing.
 * @throws {SkillError} STATE_INVALID (not the shape of a saved session or of changes), STATE_TAMPERED
 */
export function advanceState(
  saved: SavedSession | undefined,
  update: readonly SessionChange[] | SealedChanges,
  sessionSecret: string | undefined,
): SavedSession | undefined {
  const changes = parseChanges(isSealed(update) ? unsealChanges(update, sessionSecret) : update)
  const [first] = changes
  if (first === undefined) return saved
  if (saved !== undefined) {
    const state = unsealState(saved, sessionSecret)
    if (isSealed(update) && update.session !== state.id) return saved
    if (first.type === 'opened' && first.id !== state.id) return saved
    return sealState(changes.reduce(applyChange, state), sessionSecret)
  }
  // What a call did in a session that has ended must not bring it back.
  if (first.type !== 'opened') return undefined
  return sealState(changes.reduce(applyChange, initialState(first.id)), sessionSecret)
}

/** Frameworks keep updates, so they may come back as anything. */
function isSealed(update: unknown): update is SealedChanges {
  return 'seal' in Object(update)
}

/**
 * Returns a saved session's state where it can be resumed.
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
