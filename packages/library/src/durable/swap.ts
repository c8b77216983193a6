import { join } from 'node:path'
import { showName, SkillError, type SkillFiles } from '@repertoire/core'
import type { OpenFolder } from '@repertoire/core/node'
import { isCommitted } from './committed.ts'
import { forgetChange, noteChange, notedChange, readJournal, writeJournal } from './journal.ts'
import type { Commitment, Journal, PendingSwap } from './journal.ts'
import {
  exists,
  formerName,
  isOwnLeftover,
  isStaged,
  OWNER_MAY_CHANGE,
  permissionsOf,
  removeTree,
  STATE_FOLDER,
  stagedName,
  stageFile,
  stageFolder,
  syncFolder,
} from './staging.ts'
import type { StagedFile } from './staging.ts'
import type { WritingSystem } from './system.ts'
import { filesDigest, treeDigest } from './tree-digest.ts'

/** The folders of a store, opened, under its lock. */
export interface StoreFolders {
  readonly system: WritingSystem
  /** The real path of the root. */
  readonly path: string
  /** Holds the skills. */
  readonly root: OpenFolder
  /** The store's own, in the root: what is being written, the journal, the lock. */
  readonly state: OpenFolder
}

/** Writes the folder of a skill that is not there yet. */
export function addFolder(folders: StoreFolders, skill: string, files: SkillFiles): void {
  const { system, path, root, state } = folders
  const staged = stagedName(path)
  try {
    stageFolder(system, state, staged, files)
    move(system, state, staged, root, skill)
  } catch (error) {
    attempt(() => sweep(folders, [staged]))
    throw error
  }
  syncFolder(system, root)
  syncFolder(system, state)
}

/**
 * Replaces the folder of a skill by another. No system that Node runs on swaps two folders in one step for it, so that
 * there is a moment without either: the journal, which is on the disk before it, says where both are.
 */
export function replaceFolder(folders: StoreFolders, skill: string, files: SkillFiles): void {
  changeFolders(folders, [{ skill, files }])
}

/** A skill's folder in a change of several: the files that it has afterwards, or none. */
export interface FolderChange {
  readonly skill: string
  /** Absent: it is removed. */
  readonly files?: SkillFiles
}

/**
 * Changes the folders of several skills together: all of them or none, whatever ends it. All new folders are complete, and
 * on the disk, before the first one is moved, and the old ones are kept until `commit` has written the lock.
 * @param commitment what decides whether it has happened. Absent: the one folder that is changed decides by itself
 * @param commit returns when the lock is on the disk; what it throws undoes the change
 */
export function changeFolders(
  folders: StoreFolders,
  changes: readonly FolderChange[],
  commitment?: Commitment,
  commit: () => void = () => {},
): void {
  const { system, path, root, state } = folders
  const pending: PendingSwap[] = changes.map(({ skill, files }) => {
    const formerDigest = treeDigest(root, skill)
    return {
      skill,
      ...(files !== undefined && { staged: stagedName(path), stagedDigest: filesDigest(files) }),
      ...(formerDigest !== undefined && { former: formerName(path), formerDigest }),
    }
  })
  const sequence = readJournal(state).sequence + 1
  const journal = { sequence, pending, commitment }
  const syncMoves = (): void => {
    syncFolder(system, root)
    syncFolder(system, state)
  }
  try {
    for (const [index, { skill, files }] of changes.entries()) {
      if (files !== undefined) stageFolder(system, state, pending[index]!.staged!, files, modeOf(root, skill))
    }
    syncFolder(system, state)
    begin(folders, journal)
    for (const { skill, staged, former } of pending) {
      if (former !== undefined) move(system, root, skill, state, former)
      if (staged !== undefined) move(system, state, staged, root, skill)
    }
    if (commitment !== undefined) {
      syncMoves()
      commit()
    }
  } catch (error) {
    attempt(() => settle(folders, journal))
    throw error
  }
  // Without a commitment the moves have decided already: a failed sync must not remove what the folder held before.
  if (commitment === undefined) syncMoves()
  attempt(() => finish(folders, pending))
}

/** Writes one file of a skill's folder, new or in place of the one there. */
export function putFile(
  { system, path, state }: StoreFolders,
  folder: OpenFolder,
  name: string,
  file: StagedFile,
): void {
  const staged = stagedName(path)
  try {
    stageFile(system, state, staged, file)
    move(system, state, staged, folder, name)
  } catch (error) {
    attempt(() => removeTree(system, path, state, staged))
    throw error
  }
  syncFolder(system, folder)
}

/** Removes the folder of a skill, in one step. */
export function removeFolder(folders: StoreFolders, skill: string): void {
  const { system, path, root, state } = folders
  const former = formerName(path)
  move(system, root, skill, state, former)
  syncFolder(system, root)
  syncFolder(system, state)
  attempt(() => finish(folders, [{ skill, former }]))
}

/** Says what is about to be moved: privately, for whoever has to finish it, and in the journal, for readers. */
function begin({ system, path, root, state }: StoreFolders, journal: Journal): void {
  noteChange(system, path, journal)
  writeJournal(system, path, state, journal)
  // The journal counts only if the folder that holds it is on the disk as well.
  syncFolder(system, root)
}

/**
 * Tells readers that every folder is in its place, and only then removes what has left it. Staged folders go first: no
 * reader needs them, and on a full disk they are what fills it.
 */
function finish(folders: StoreFolders, swaps: readonly PendingSwap[]): void {
  const { system, path, state } = folders
  const names = swaps.flatMap(({ staged, former }) => [staged ?? [], former ?? []].flat())
  const tell = (): void => writeJournal(system, path, state, { sequence: readJournal(state).sequence + 1 })
  sweep(folders, names, isStaged)
  try {
    tell()
  } catch {
    // No room even for that. A reader notices that the folder has left its place.
    sweep(folders, names)
    tell()
  }
  forgetChange(system, path)
  sweep(folders, names)
}

/**
 * Finishes what this user's programs have left when they were killed or failed: each skill is then as it was before that
 * change or as it is after it. What others have left, or what came with the folder, is not touched.
 * @throws {SkillError} STORE_CONFLICT: a folder holds neither the old nor the new content
 */
export function recover(folders: StoreFolders): void {
  const journal = notedChange(folders.path)
  if (journal?.pending !== undefined) settle(folders, journal)
  else if (readJournal(folders.state).pending === undefined && hasOwnLeftovers(folders)) {
    // A folder that was removed may have been left by its remover before its readers knew.
    finish(folders, [])
  }
}

/** Whether this user's programs have left something that no change refers to. */
export function hasOwnLeftovers({ path, state }: Pick<StoreFolders, 'path' | 'state'>): boolean {
  return state.entries().some(({ name }) => isOwnLeftover(path, name))
}

/** Brings every folder of a change into its place: the new ones where the change has happened, otherwise the old ones. */
function settle(folders: StoreFolders, { pending = [], commitment }: Journal): void {
  const { system, path, root, state } = folders
  const isDone = commitment !== undefined && isCommitted(path, commitment)
  // All are judged before the first one is moved.
  const moves = pending.flatMap((swap) =>
    commitment === undefined ? movesBack(folders, swap) : movesTo(folders, swap, isDone ? 'staged' : 'former'),
  )
  for (const { skill, name, to } of moves) {
    if (to === 'state') move(system, root, skill, state, name)
    else move(system, state, name, root, skill)
  }
  syncFolder(system, root)
  syncFolder(system, state)
  finish(folders, pending)
}

interface Move {
  readonly skill: string
  /** In the store's own folder. */
  readonly name: string
  readonly to: 'root' | 'state'
}

/** Restores a single folder, but only if its place is still free. */
function movesBack(folders: StoreFolders, swap: PendingSwap): readonly Move[] {
  return exists(folders.root, swap.skill) ? [] : movesTo(folders, swap, 'former')
}

/** @throws {SkillError} STORE_CONFLICT: what would be moved is not what the change had moved */
function movesTo(folders: StoreFolders, swap: PendingSwap, wanted: 'staged' | 'former'): readonly Move[] {
  const { root, state } = folders
  const { skill } = swap
  const [name, digest] = wanted === 'staged' ? [swap.staged, swap.stagedDigest] : [swap.former, swap.formerDigest]
  const [other, otherDigest] = wanted === 'staged' ? [swap.former, swap.formerDigest] : [swap.staged, swap.stagedDigest]
  if (name !== undefined) {
    // It is in its place, or was never moved.
    if (!exists(state, name)) return []
    if (treeDigest(state, name) !== digest) throw changedMeanwhile(folders, skill, name, name)
  }
  const there = treeDigest(root, skill)
  const away: Move[] = []
  if (there !== undefined) {
    const isOther = other !== undefined && there === otherDigest && !exists(state, other)
    if (isOther) away.push({ skill, name: other, to: 'state' })
    else if (name === undefined) return []
    else throw changedMeanwhile(folders, skill, skill, name)
  }
  return name === undefined ? away : [...away, { skill, name, to: 'root' }]
}

function changedMeanwhile({ path }: StoreFolders, skill: string, changed: string, kept: string): SkillError {
  const where = changed === skill ? skill : join(STATE_FOLDER, changed)
  const message = `The skill ${showName(skill)} was being changed when a program was killed, and ${showName(join(path, where))} was changed since. Its earlier content is in ${showName(join(path, STATE_FOLDER, kept))}. Move the changed folder away and repeat this, or run "repertoire recover".`
  return new SkillError('STORE_CONFLICT', message, { path: join(path, where) })
}

/** The permissions of a folder that takes the place of another: one that only its owner enters stays one. */
function modeOf(root: OpenFolder, skill: string): number | undefined {
  const mode = permissionsOf(root, skill)?.mode
  return mode === undefined ? undefined : mode | OWNER_MAY_CHANGE
}

/**
 * Removes what is left over: every skill is in its place when this is called. What cannot be removed, such as files of
 * another user, is tried again by the next writer, and keeps nobody from writing.
 * @param names what this change has made, beside what others of this user's programs have left
 */
function sweep(
  { system, path, state }: StoreFolders,
  names: readonly string[],
  isOver: (name: string) => boolean = () => true,
): void {
  for (const { name } of state.entries()) {
    const isOurs = names.includes(name) || isOwnLeftover(path, name)
    if (isOurs && isOver(name)) attempt(() => removeTree(system, path, state, name))
  }
}

function move(system: WritingSystem, source: OpenFolder, name: string, target: OpenFolder, targetName: string): void {
  source.at(name, (from) => target.at(targetName, (to) => system.rename(from, to)))
}

/** What is left undone here is done before the next write, and no reader sees it. */
function attempt(work: () => void): void {
  try {
    work()
  } catch {
    // The write has succeeded, or has thrown its own error.
  }
}
