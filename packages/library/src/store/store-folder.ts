import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { isSkillError, SkillError, type SkillFolder } from '@repertoire/core'
import { openPinnedFolder, skillFolder } from '@repertoire/core/node'
import { notedChange, readJournal, type PendingSwap } from '../durable/journal.ts'
import { withFolder } from '../durable/open-folder.ts'
import { STATE_FOLDER } from '../durable/staging.ts'

/** Writers that come between more often than this leave no moment to read in. */
const MAX_TRIES = 100

/** How often a write moves a skill's folder without a word in the journal: each may make one read fail. And one more. */
const MOVES = 3

/** How often, and how long, a folder is waited for that a journal says is being moved. */
const WAITS = 20
const PAUSE_MS = 10

/** What a journal says to readers. */
export interface SeenJournal {
  /** As in the journal. */
  readonly sequence: number
  /** Names of the skills whose folders may be out of their places. */
  readonly moving: readonly string[]
  /** Where they are. Empty unless this user's programs have noted the same change: a journal may have come with the folder. */
  readonly swaps: readonly PendingSwap[]
}

/** The journal as readers see it: undefined if it is missing or cannot be read. */
export function journalOf(root: string): SeenJournal | undefined {
  try {
    const journal = withFolder(openPinnedFolder(join(root, STATE_FOLDER)), readJournal)
    const { sequence, pending = [] } = journal
    const isOwn = pending.length > 0 && isDeepStrictEqual(journal, notedChange(root))
    return { sequence, moving: pending.map(({ skill }) => skill), swaps: isOwn ? pending : [] }
  } catch {
    return undefined
  }
}

/**
 * Returns the folder of a stored skill. While a writer replaces it, a reader gets what was before or what is after, and never
 * files of both.
 * @param root the store's folder, by its real path
 */
export function storeFolder(root: string, name: string): SkillFolder {
  const location = join(root, name)

  /** Opens the folder where it is: in its place, or where the journal says that the old one is meanwhile. */
  const open = (journal: SeenJournal | undefined): SkillFolder => {
    try {
      return skillFolder(location)
    } catch (error) {
      const pending = journal?.swaps.find(({ skill }) => skill === name)
      if (pending?.former === undefined) throw error
      try {
        return skillFolder(join(root, STATE_FOLDER, pending.former))
      } catch {
        // The new one has come in between.
        return skillFolder(location)
      }
    }
  }
  /** Which folder `open` would open. Another one after a read: what was read may have been removed meanwhile. */
  const placed = (journal: SeenJournal | undefined): string | undefined => {
    const former = journal?.swaps.find(({ skill }) => skill === name)?.former
    return inodeOf(location) ?? (former === undefined ? undefined : inodeOf(join(root, STATE_FOLDER, former)))
  }
  const reading = async <T>(read: (folder: SkillFolder) => Promise<T>): Promise<T> => {
    for (let tries = 1; ; tries++) {
      const before = journalOf(root)
      const place = placed(before)
      const answer = await answerOf(async () => read(open(before)))
      const isSteady = journalOf(root)?.sequence === before?.sequence && placed(before) === place
      if ('value' in answer && isSteady) return answer.value
      const isMoving = before?.moving.includes(name) === true
      const isBelieved = isSteady && tries >= (isMoving ? WAITS : MOVES)
      if ('error' in answer && (isBelieved || !isSkillError(answer.error))) throw answer.error
      if (tries === MAX_TRIES) {
        const message = `${location} is replaced again and again, so that it was not read. Try again.`
        throw new SkillError('TIMED_OUT', message)
      }
      if (isMoving) await wait(PAUSE_MS)
    }
  }
  return {
    location,
    readManifest: () => reading((folder) => folder.readManifest()),
    list: () => reading((folder) => folder.list()),
    read: (path, options) => reading((folder) => folder.read(path, options)),
    survey: () => reading((folder) => folder.survey!()),
  }
}

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
    const answer = await answerOf(read)
    if ('value' in answer && isSettled(answer.value)) return answer.value
    const after = journalOf(root)
    const isMoved = after?.sequence !== before?.sequence || after?.moving.includes(skill) === true
    if (!isMoved || tries === WAITS) {
      if ('error' in answer) throw answer.error
      return answer.value
    }
    await wait(PAUSE_MS)
  }
}

function inodeOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true })
    return `${dev}:${ino}`
  } catch {
    return undefined
  }
}

async function answerOf<T>(read: () => Promise<T>): Promise<{ readonly value: T } | { readonly error: unknown }> {
  try {
    return { value: await read() }
  } catch (error) {
    return { error }
  }
}
