import { join } from 'node:path'
import { isSkillError, SkillError } from '@repertoire/core'
import type { FolderListing, FolderSurvey, SkillFolder } from '@repertoire/core'
import { openPinnedFolder, openSkillFolder } from '@repertoire/core/node'
import { readJournal } from '../durable/journal.ts'
import type { Journal } from '../durable/journal.ts'

/** The store's own folder, beside the skills. Hidden, so that no scan searches it. */
export const STATE_FOLDER = '.repertoire'

/** Writers that come between more often than this leave no moment to read in. */
const MAX_TRIES = 100

/** How often a write moves a skill's folder without a word in the journal: each may make one read fail. And one more. */
const MOVES = 3

/** The journal as readers see it: undefined if there is none, or none that can be read. */
export function journalOf(root: string): Journal | undefined {
  try {
    const state = openPinnedFolder(join(root, STATE_FOLDER))
    try {
      return readJournal(state)
    } finally {
      state.close()
    }
  } catch {
    return undefined
  }
}

/**
 * The folder of a stored skill. While a writer replaces it, a reader gets what was before or what is after, and never
 * files of both. A class, since a store has thousands and they share its methods.
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

  readManifest(): Promise<Uint8Array> {
    return this.#read((folder) => folder.readManifest())
  }

  list(): Promise<FolderListing> {
    return this.#read((folder) => folder.list())
  }

  read(path: string, options?: { readonly maxBytes?: number; readonly withheld?: boolean }): Promise<Uint8Array> {
    return this.#read((folder) => folder.read(path, options))
  }

  survey(): Promise<FolderSurvey | undefined> {
    return this.#read((folder) => folder.survey!())
  }

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
      const isBelieved = isSteady && tries >= MOVES
      if ('error' in answer && (isBelieved || !isSkillError(answer.error))) throw answer.error
      if (tries === MAX_TRIES)
        throw new SkillError(
          'TIMED_OUT',
          `${this.location} is replaced again and again, so that it was not read. Try again.`,
        )
    }
  }

  /** Opens the folder where it is: in its place, or where the journal says that the old one is meanwhile. */
  #open(journal: Journal | undefined): SkillFolder {
    try {
      return openSkillFolder(this.location)
    } catch (error) {
      const pending = journal?.pending?.find(({ skill }) => skill === this.#name)
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
