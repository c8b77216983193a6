import type { SkillFiles } from '@repertoire/core'
import type { OpenFolder } from '@repertoire/core/node'
import { isCommitted } from './committed.ts'
import { readJournal, writeJournal } from './journal.ts'
import type { Commitment, PendingSwap } from './journal.ts'
import {
  exists,
  formerName,
  isLeftover,
  isStaged,
  OWNER_MAY_CHANGE,
  permissionsOf,
  removeTree,
  stagedName,
  stageFile,
  stageFolder,
  syncFolder,
} from './staging.ts'
import type { StagedFile } from './staging.ts'
import type { WritingSystem } from './system.ts'

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
  const { system, root, state } = folders
  const staged = stagedName()
  try {
    stageFolder(system, state, staged, files)
    move(system, state, staged, root, skill)
  } catch (error) {
    attempt(() => sweep(folders, isStaged))
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
  const { system, root, state } = folders
  const swap = { skill, staged: stagedName(), former: formerName() }
  try {
    stageFolder(system, state, swap.staged, files, modeOf(root, skill))
    writeJournal(system, state, { sequence: readJournal(state).sequence + 1, pending: [swap] })
    // The journal counts only if the folder that holds it is on the disk as well.
    syncFolder(system, root)
    move(system, root, skill, state, swap.former)
    move(system, state, swap.staged, root, skill)
  } catch (error) {
    attempt(() => recover(folders))
    throw error
  }
  syncFolder(system, root)
  syncFolder(system, state)
  attempt(() => finish(folders))
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
 * @param commit returns when the lock is on the disk; what it throws undoes the change
 */
export function changeFolders(
  folders: StoreFolders,
  changes: readonly FolderChange[],
  commitment: Commitment,
  commit: () => void,
): void {
  const { system, root, state } = folders
  const pending: PendingSwap[] = []
  try {
    for (const { skill, files } of changes) {
      const swap = {
        skill,
        ...(files !== undefined && { staged: stagedName() }),
        ...(exists(root, skill) && { former: formerName() }),
      }
      if (files !== undefined) stageFolder(system, state, swap.staged!, files, modeOf(root, skill))
      pending.push(swap)
    }
    syncFolder(system, state)
    writeJournal(system, state, { sequence: readJournal(state).sequence + 1, pending, commitment })
    syncFolder(system, root)
    for (const { skill, staged, former } of pending) {
      if (former !== undefined) move(system, root, skill, state, former)
      if (staged !== undefined) move(system, state, staged, root, skill)
    }
    syncFolder(system, root)
    syncFolder(system, state)
    commit()
  } catch (error) {
    attempt(() => recover(folders))
    throw error
  }
  attempt(() => finish(folders))
}

/** Writes one file of a skill's folder, new or in place of the one there. */
export function putFile({ system, state }: StoreFolders, folder: OpenFolder, name: string, file: StagedFile): void {
  const staged = stagedName()
  try {
    stageFile(system, state, staged, file)
    move(system, state, staged, folder, name)
  } catch (error) {
    attempt(() => removeTree(system, state, staged))
    throw error
  }
  syncFolder(system, folder)
}

/** Removes the folder of a skill, in one step. */
export function removeFolder(folders: StoreFolders, skill: string): void {
  const { system, root, state } = folders
  move(system, root, skill, state, formerName())
  syncFolder(system, root)
  syncFolder(system, state)
  attempt(() => finish(folders))
}

/**
 * Tells readers that something has left its place, and only then removes it. What was staged is nobody's, and goes first:
 * on a full disk it is what fills it.
 */
function finish(folders: StoreFolders): void {
  const { system, state } = folders
  const tell = (): void => writeJournal(system, state, { sequence: readJournal(state).sequence + 1 })
  sweep(folders, isStaged)
  try {
    tell()
  } catch {
    // No room even for that. A reader of just this moment may miss files; otherwise nothing could ever be written again.
    sweep(folders, isLeftover)
    return tell()
  }
  sweep(folders, isLeftover)
}

/**
 * Puts right what a writer has left that was ended or failed on its way: each skill is then as it was before that write or
 * as it is after it, and nothing else is left over.
 */
export function recover(folders: StoreFolders): void {
  const { system, root, state } = folders
  const { pending, commitment } = readJournal(state)
  if (pending !== undefined) {
    if (commitment === undefined) for (const swap of pending) putBack(folders, swap)
    else if (isCommitted(folders.path, commitment)) for (const swap of pending) complete(folders, swap)
    else for (const swap of pending) undo(folders, swap)
    syncFolder(system, root)
    syncFolder(system, state)
    finish(folders)
  } else if (state.entries().some(({ name }) => isLeftover(name))) {
    // A folder that was removed may have been left by its remover before its readers knew.
    finish(folders)
  }
}

/** Of a single folder. The old one, if it is there: an unfinished write did not happen. It left its place before the new one came. */
function putBack({ system, root, state }: StoreFolders, { skill, staged, former }: PendingSwap): void {
  if (exists(root, skill)) return
  const kept = isIn(state, former) ? former : staged
  if (isIn(state, kept)) move(system, state, kept, root, skill)
}

/** The lock has the change: what is not in its place yet is brought there. */
function complete({ system, root, state }: StoreFolders, { skill, staged, former }: PendingSwap): void {
  const isDue = staged === undefined || isIn(state, staged)
  if (isDue && former !== undefined && exists(root, skill) && !exists(state, former)) {
    move(system, root, skill, state, former)
  }
  if (isIn(state, staged) && !exists(root, skill)) move(system, state, staged, root, skill)
}

/** The lock does not have the change: what is in its place already leaves it, and the old comes back. */
function undo({ system, root, state }: StoreFolders, { skill, staged, former }: PendingSwap): void {
  // Of a folder that was replaced, the old one in the state folder shows that the one in its place is the new one.
  const isMoved = former === undefined || exists(state, former)
  if (isMoved && staged !== undefined && exists(root, skill) && !exists(state, staged)) {
    move(system, root, skill, state, staged)
  }
  if (isIn(state, former) && !exists(root, skill)) move(system, state, former, root, skill)
}

function isIn(folder: OpenFolder, name: string | undefined): name is string {
  return name !== undefined && exists(folder, name)
}

/** The permissions of a folder that takes the place of another: one that only its owner enters stays one. */
function modeOf(root: OpenFolder, skill: string): number | undefined {
  const mode = permissionsOf(root, skill)?.mode
  return mode === undefined ? undefined : mode | OWNER_MAY_CHANGE
}

/**
 * Removes what is left over: every skill is in its place when this is called. What cannot be removed, such as files of
 * another user, is tried again by the next writer, and keeps nobody from writing.
 */
function sweep({ system, state }: StoreFolders, isOver: (name: string) => boolean): void {
  for (const { name } of state.entries()) {
    if (isOver(name)) attempt(() => removeTree(system, state, name))
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
    // The write itself has succeeded, or has an error of its own.
  }
}
