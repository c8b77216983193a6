import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { isSkillError, SkillError, type FolderListing, type FolderSurvey, type SkillFolder } from '@repertoire/core'
import { openPinnedFolder, openSkillFolder } from '@repertoire/core/node'
import { notedChange, readJournal, type PendingSwap } from '../durable/journal.ts'
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

/** The journal as readers see it: undefined if there is none, or none that can be read. */
export function journalOf(root: string): SeenJournal | undefined {
  try {
    const state = openPinnedFolder(join(root, STATE_FOLDER))
    try {
      const journal = readJournal(state)
      const { sequence, pending = [] } = journal
      const isOwn = pending.length > 0 && isDeepStrictEqual(journal, notedChange(root))
      return { sequence, moving: pending.map(({ skill }) => skill), swaps: isOwn ? pending : [] }
    } finally {
      state.close()
    }
  } catch {
    return undefined
  }
}

/**
 * The folder of a stored skill. While a writer replaces it, a reader gets what was before or what is after, and never
 * files of both.
 */
export class StoreFolder implements SkillFolder {
  readonly location: string
  readonly #root: string
  readonly #name: string

  /** @param root the store's folder, by its real path */
  constructor(root: string, name: string) {
    this.#root = root
    this.#name = name
    this.location = join(root, name)
  }

  // Hosts may take the methods apart.
  readonly readManifest = (): Promise<Uint8Array> => this.#read((folder) => folder.readManifest())

  readonly list = (): Promise<FolderListing> => this.#read((folder) => folder.list())

  readonly read: SkillFolder['read'] = (path, options) => this.#read((folder) => folder.read(path, options))

  readonly survey = (): Promise<FolderSurvey | undefined> => this.#read((folder) => folder.survey!())

  async #read<T>(read: (folder: SkillFolder) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      const before = journalOf(this.#root)
      let answer: { readonly value: T } | { readonly error: unknown }
      try {
        answer = { value: await read(this.#open(before)) }
      } catch (error) {
        answer = { error }
      }
      const isSteady = journalOf(this.#root)?.sequence === before?.sequence
      if ('value' in answer && isSteady) return answer.value
      const isMoving = before?.moving.includes(this.#name) === true
      const isBelieved = isSteady && tries >= (isMoving ? WAITS : MOVES)
      if ('error' in answer && (isBelieved || !isSkillError(answer.error))) throw answer.error
      if (tries === MAX_TRIES)
        throw new SkillError(
          'TIMED_OUT',
          `${this.location} is replaced again and again, so that it was not read. Try again.`,
        )
      if (isMoving) await wait(PAUSE_MS)
    }
  }

  /** Opens the folder where it is: in its place, or where the journal says that the old one is meanwhile. */
  #open(journal: SeenJournal | undefined): SkillFolder {
    try {
      return openSkillFolder(this.location)
    } catch (error) {
      const pending = journal?.swaps.find(({ skill }) => skill === this.#name)
      if (pending?.former === undefined) throw error
      try {
        return openSkillFolder(join(this.#root, STATE_FOLDER, pending.former))
      } catch {
        // The new one has come in between.
        return openSkillFolder(this.location)
      }
    }
  }
}
