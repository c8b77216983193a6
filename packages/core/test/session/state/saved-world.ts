import { foreign } from '@repertoire/test-servers/properties'
import { openRepertoire, type SavedSession } from '../../../src/index.ts'
import { openAdapterSession, type SessionChange, type SessionState } from '../../../src/adapter.ts'

/** What makes saved sessions without any skill, and reads them. */
export interface SavedWorld {
  /** Returns what `save` returns of a session that came to this state. */
  readonly save: (state: SessionState) => SavedSession
  /** Returns the state of a session that is opened over what a host has kept. */
  readonly resume: (saved: unknown) => SessionState
  /** Returns the state after changes that a framework hands back. */
  readonly advance: (changes: unknown) => SessionState | undefined
}

export async function openSaved(sessionSecret?: string): Promise<SavedWorld> {
  const repertoire = await openRepertoire({ sources: [], sessionSecret })
  return {
    save: (state) => repertoire.advance(undefined, changesTo(state))!,
    resume: (saved) => openAdapterSession(repertoire, { saved: foreign(saved) }).state,
    advance: (changes) => repertoire.advance(undefined, foreign(changes))?.state,
  }
}

/** The changes of a session that came to this state. */
function changesTo({ id, correlationId, active, granted, open, summary, steps, ended }: SessionState): SessionChange[] {
  return [
    { type: 'opened', id, correlationId },
    ...active.map((skill) => ({ type: 'activated' as const, skill })),
    ...granted.map((grant) => ({ type: 'granted' as const, grant })),
    ...open.map((request) => ({ type: 'asked' as const, request })),
    ...(summary === undefined ? [] : [{ type: 'summarized' as const, summary }]),
    ...(steps === undefined ? [] : [{ type: 'stepped' as const, steps }]),
    ...(ended ? [{ type: 'ended' as const }] : []),
  ]
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
