import type { AdapterSession } from '@repertoire/core/adapter'

/** Saves a session through the host's function when its state has changed, one save after the other. */
export interface Saves {
  /** Saves what has changed since the last save. @throws what the host's function throws */
  save(): Promise<void>
  /** Does the same, but leaves a failure to the next save, which tries again. */
  trySave(): Promise<void>
}

/** @param save the host's function; absent: nothing is saved */
export function createSaves(session: AdapterSession, save: (() => void | Promise<void>) | undefined): Saves {
  let saved = session.state
  let last: Promise<unknown> = Promise.resolve()

  async function saveNow(): Promise<void> {
    const { state } = session
    if (save === undefined || state === saved) return
    await save()
    saved = state
  }

  const next = (): Promise<void> => {
    const saving = last.then(saveNow)
    last = saving.catch(() => undefined)
    return saving
  }
  return { save: next, trySave: () => next().catch(() => undefined) }
}
