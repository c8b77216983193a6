import type { SkillFiles } from '@repertoire/core'
import type { OpenFolder } from '@repertoire/core/node'
import { readJournal, writeJournal } from './journal.ts'
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
    // A folder that only its owner enters stays one.
    const mode = permissionsOf(root, skill)?.mode
    stageFolder(system, state, swap.staged, files, mode === undefined ? undefined : mode | OWNER_MAY_CHANGE)
    writeJournal(system, state, { sequence: readJournal(state).sequence + 1, pending: swap })
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
  const { pending } = readJournal(state)
  if (pending !== undefined) {
    const { skill, staged, former } = pending
    if (!exists(root, skill)) {
      // The old one, if it is there: an unfinished write did not happen. It left its place before the new one came.
      const kept = exists(state, former) ? former : staged
      if (exists(state, kept)) move(system, state, kept, root, skill)
      syncFolder(system, root)
      syncFolder(system, state)
    }
    finish(folders)
  } else if (state.entries().some(({ name }) => isLeftover(name))) {
    // A folder that was removed may have been left by its remover before its readers knew.
    finish(folders)
  }
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
