import { setTimeout as wait } from 'node:timers/promises'
import { journalOf } from './store-folder.ts'

/** A writer moves folders within milliseconds. One that was killed in between leaves them so. */
const MAX_TRIES = 20
const PAUSE_MS = 10

/**
 * Reads a skill's folder by its place, and once more where a writer has moved it meanwhile: between two renames it is in none.
 * @param root the folder with the skills
 * @param skill the name of its folder
 * @param isSettled whether what was read is so also beside a writer
 */
export async function readSteadily<T>(
  root: string,
  skill: string,
  read: () => Promise<T>,
  isSettled: (value: T) => boolean,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    const before = journalOf(root)
    let answer: { readonly value: T } | { readonly error: unknown }
    try {
      answer = { value: await read() }
    } catch (error) {
      answer = { error }
    }
    if ('value' in answer && isSettled(answer.value)) return answer.value
    const after = journalOf(root)
    const isMoved = after?.sequence !== before?.sequence || after?.moving.includes(skill) === true
    if (!isMoved || tries === MAX_TRIES) {
      if ('error' in answer) throw answer.error
      return answer.value
    }
    await wait(PAUSE_MS)
  }
}
