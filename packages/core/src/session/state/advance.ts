import { parseChanges } from './parse.ts'
import { type SavedSession, type SealedChanges, sealState, unsealChanges, unsealState } from './seal.ts'
import { applyChange, initialState, type SessionChange } from './state.ts'

/**
 * Applies changes to a saved session. Pure. Returns undefined where there is no session yet and the changes do not begin
 * with its opening; changes of another session change nothing.
 * @throws {SkillError} STATE_INVALID (not the shape of a saved session or of changes), STATE_TAMPERED
 */
export function advanceState(
  saved: SavedSession | undefined,
  update: readonly SessionChange[] | SealedChanges,
  stateKey: string | undefined,
): SavedSession | undefined {
  const sealed = isSealed(update) ? update : undefined
  const changes = parseChanges(sealed === undefined ? update : unsealChanges(sealed, stateKey))
  const [first] = changes
  if (first === undefined) return saved
  if (saved !== undefined) {
    const state = unsealState(saved, stateKey)
    if (sealed !== undefined && sealed.session !== state.id) return saved
    if (first.type === 'opened' && first.id !== state.id) return saved
    return sealState(changes.reduce(applyChange, state), stateKey)
  }
  // What a call did in a session that has ended must not bring it back.
  if (first.type !== 'opened') return undefined
  return sealState(changes.reduce(applyChange, initialState(first.id)), stateKey)
}

/** Frameworks keep updates, so they may come back as anything. */
function isSealed(update: unknown): update is SealedChanges {
  return typeof update === 'object' && update !== null && 'seal' in update
}
