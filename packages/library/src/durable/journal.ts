import { closeSync, readFileSync } from 'node:fs'
import { SkillError } from '@repertoire/core'
import { OpenFailure } from '@repertoire/core/node'
import type { OpenFolder } from '@repertoire/core/node'
import { isLeftover, stagedName, stageFile, syncFolder } from './staging.ts'
import type { WritingSystem } from './system.ts'

/** A folder that is being put into its place, replaced by another, or removed. */
export interface PendingSwap {
  readonly skill: string
  /** The new folder. Absent: the skill is removed. */
  readonly staged?: string
  /** The old one, once it has left its place. Absent: there is none. */
  readonly former?: string
}

/**
 * What decides whether a change of several skills has happened: the lock file of the project, which is written last. Where
 * its entries are these, the change is completed; otherwise it is undone.
 */
export interface Commitment {
  /** The folder with the lock file, from the one with the skills: `../..`. */
  readonly project: string
  /** The SHA-256 of each entry afterwards, hex; null: there is none. */
  readonly entries: Readonly<Record<string, string | null>>
}

/** What the writers of a store tell its readers, and each other. */
export interface Journal {
  /** Grows with every folder that was replaced or removed: what was read between two equal ones is whole. */
  readonly sequence: number
  /** Absent: every folder is in its place. */
  readonly pending?: readonly PendingSwap[]
  /** Absent: the one folder that is pending decides by itself. */
  readonly commitment?: Commitment
}

const JOURNAL = 'journal.json'
/** Some hundred bytes for each skill of a change, of which there may be as many as a lock can hold. */
const MAX_JOURNAL_BYTES = 64 * 1024 * 1024
const EMPTY: Journal = { sequence: 0 }

/** Only a folder above the one with the skills, or that one itself. */
const PROJECT = /^(?:\.|\.\.(?:\/\.\.)*)$/

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
    const { sequence, pending, commitment } = JSON.parse(text) as Journal
    if (!Number.isSafeInteger(sequence)) return undefined
    if (pending === undefined) return { sequence }
    if (!Array.isArray(pending) || !pending.every(isSwap)) return undefined
    if (commitment === undefined) return pending.length === 1 ? { sequence, pending } : undefined
    const { project, entries } = commitment
    return PROJECT.test(project) && typeof entries === 'object' ? { sequence, pending, commitment } : undefined
  } catch {
    return undefined
  }
}

function isSwap({ skill, staged, former }: PendingSwap): boolean {
  return typeof skill === 'string' && !/[/\\]|^\.*$/.test(skill) && isKnown(staged) && isKnown(former)
}

function isKnown(name: string | undefined): boolean {
  return name === undefined || isLeftover(name)
}

/** Writes the journal in one step. It is on the disk when this returns. */
export function writeJournal(system: WritingSystem, state: OpenFolder, journal: Journal): void {
  const name = stagedName()
  stageFile(system, state, name, { bytes: Buffer.from(`${JSON.stringify(journal)}\n`) })
  state.at(name, (from) => state.at(JOURNAL, (to) => system.rename(from, to)))
  syncFolder(system, state)
}
