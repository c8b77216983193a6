import { SkillError } from '@repertoire/core'
import { OpenError, type OpenFolder } from '@repertoire/core/node'
import { readFileIn } from './open-folder.ts'
import { forgetPrivately, keepPrivately, keptPrivately } from './private-state.ts'
import { isLeftover, stagedName, stageFile, syncFolder } from './staging.ts'
import type { WritingSystem } from './system.ts'

/** A folder that is being put into its place, replaced by another, or removed. */
export interface PendingSwap {
  readonly skill: string
  /** The new folder. Absent: the skill is removed. */
  readonly staged?: string
  /** The old folder, after it was moved away. Absent if there was no old folder. */
  readonly former?: string
  /** What the new folder holds, as `treeDigest` has it. */
  readonly stagedDigest?: string
  /** What the old folder held. */
  readonly formerDigest?: string
}

/**
 * What decides whether a change of several skills has happened: the lock file of the project, which is written last. Where
 * its entries are these, the change is completed; otherwise it is undone.
 */
export interface Commitment {
  /** The folder with the lock file, from the one with the skills: `../..`. */
  readonly project: string
  /** The SHA-256 of each entry afterwards, hex; null if the entry is removed. */
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
/** A few hundred bytes for each skill. One change may concern every skill of a lock file. */
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
    text = String(readFileIn(state, JOURNAL, MAX_JOURNAL_BYTES) ?? '')
  } catch (error) {
    const kind = error instanceof OpenError ? error.kind : 'system'
    if (kind === 'missing') return EMPTY
    if (kind !== 'folder' && kind !== 'special') throw error
  }
  const journal = parse(text)
  if (journal !== undefined) return journal
  const message = `The store's ${JOURNAL} was changed by another program, so it does not say whether a change of a skill is unfinished. Run "repertoire recover": it shows what is left, and --clear removes it.`
  throw new SkillError('FOLDER_NOT_WRITABLE', message, { path: JOURNAL })
}

function parse(text: string): Journal | undefined {
  try {
    return checked(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Returns a value as a journal; undefined if it is not one. */
function checked(value: unknown): Journal | undefined {
  try {
    const { sequence, pending, commitment } = value as Journal
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

/**
 * Writes the journal in one step. It is on the disk when this returns.
 * @param root the real path of the folder with the skills
 */
export function writeJournal(system: WritingSystem, root: string, state: OpenFolder, journal: Journal): void {
  const name = stagedName(root)
  stageFile(system, state, name, { bytes: Buffer.from(`${JSON.stringify(journal)}\n`) })
  state.at(name, (from) => state.at(JOURNAL, (to) => system.rename(from, to)))
  syncFolder(system, state)
}

/** Notes a change where only this user writes. Only what is noted there is ever completed or undone. */
export function noteChange(system: WritingSystem, root: string, journal: Journal): void {
  keepPrivately(system, 'change', root, journal)
}

/** Returns the unfinished change that this user's programs have noted; undefined if every change is complete. */
export function notedChange(root: string): Journal | undefined {
  return checked(keptPrivately('change', root))
}

export function forgetChange(system: WritingSystem, root: string): void {
  forgetPrivately(system, 'change', root)
}
