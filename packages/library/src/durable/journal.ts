import { closeSync, readFileSync } from 'node:fs'
import { SkillError } from '@repertoire/core'
import { OpenFailure } from '@repertoire/core/node'
import type { OpenFolder } from '@repertoire/core/node'
import { isLeftover, stagedName, stageFile, syncFolder } from './staging.ts'
import type { WritingSystem } from './system.ts'

/** A folder that is being replaced by another. Both are in the store's own folder, or on their way. */
interface PendingSwap {
  readonly skill: string
  /** The new folder. */
  readonly staged: string
  /** The old one, once it has left its place. */
  readonly former: string
}

/** What the writers of a store tell its readers, and each other. */
export interface Journal {
  /** Grows with every folder that was replaced or removed: what was read between two equal ones is whole. */
  readonly sequence: number
  /** Absent: every folder is in its place. */
  readonly pending?: PendingSwap
}

const JOURNAL = 'journal.json'
/** Two names and the one of a skill are a few hundred. */
const MAX_JOURNAL_BYTES = 64 * 1024
const EMPTY: Journal = { sequence: 0 }

/**
 * Reads the journal of a store's own folder.
 * @throws {SkillError} FOLDER_NOT_WRITABLE: it is not one. It is always written whole, so somebody else has changed it
 */
export function readJournal(state: OpenFolder): Journal {
  let text = ''
  try {
    const { fd, stats } = state.file(JOURNAL)
    try {
      if (stats.size <= MAX_JOURNAL_BYTES) text = readFileSync(fd, 'utf8')
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    const kind = error instanceof OpenFailure ? error.kind : 'system'
    if (kind === 'missing') return EMPTY
    if (kind !== 'folder' && kind !== 'special') throw error
  }
  const journal = parse(text)
  if (journal !== undefined) return journal
  throw new SkillError(
    'FOLDER_NOT_WRITABLE',
    `The store's ${JOURNAL} was changed by something else, so that it is not known whether a skill is between its old and its new state. See whether its folder holds one that begins with "former-", put that back, and remove the journal.`,
    { path: JOURNAL },
  )
}

function parse(text: string): Journal | undefined {
  try {
    const { sequence, pending } = JSON.parse(text) as Journal
    if (!Number.isSafeInteger(sequence)) return undefined
    if (pending === undefined) return { sequence }
    const { skill, staged, former } = pending
    const isKnown = typeof skill === 'string' && !/[/\\]|^\.*$/.test(skill) && isLeftover(staged) && isLeftover(former)
    return isKnown ? { sequence, pending: { skill, staged, former } } : undefined
  } catch {
    return undefined
  }
}

/** Writes the journal in one step. It is on the disk when this returns. */
export function writeJournal(system: WritingSystem, state: OpenFolder, journal: Journal): void {
  const name = stagedName()
  stageFile(system, state, name, { bytes: Buffer.from(`${JSON.stringify(journal)}\n`) })
  state.at(name, (from) => state.at(JOURNAL, (to) => system.rename(from, to)))
  syncFolder(system, state)
}
