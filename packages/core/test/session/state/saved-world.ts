import { foreign } from '@repertoire/test-servers/properties'
import { openRepertoire, type SavedSession } from '../../../src/index.ts'
import { openAdapterSession, type SessionState } from '../../../src/adapter.ts'
import { sealState } from '../../../src/session/state/seal.ts'

/** Returns a session that has come to this state, as it is saved. */
export function savedOf(state: Partial<SessionState>, sessionSecret?: string): SavedSession {
  return sealState({ version: 1, id: 'task', active: [], granted: [], open: [], ended: false, ...state }, sessionSecret)
}

/** What makes saved sessions without any skill, and reads them. */
export interface SavedWorld {
  /** Returns what `save` returns of a session that came to this state. */
  readonly save: (state: SessionState) => SavedSession
  /** Returns the state of a session that is opened over what a host has kept. */
  readonly resume: (saved: unknown) => SessionState
}

export async function openSaved(sessionSecret?: string): Promise<SavedWorld> {
  const repertoire = await openRepertoire({ sources: [], sessionSecret })
  return {
    save: (state) => savedOf(state, sessionSecret),
    resume: (saved) => openAdapterSession(repertoire, { saved: foreign(saved) }).state,
  }
}

/** The same JSON value with the keys of every object in another order, as some databases return it. */
export function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, inner]) => [key, reordered(inner)]),
  )
}
