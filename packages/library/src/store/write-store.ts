import { lstatSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isSkillError, showName, SkillError } from '@repertoire/core'
import { OpenError, openPinnedFolder, type OpenFolder } from '@repertoire/core/node'
import { withFileLock } from '../durable/file-lock.ts'
import { notedChange, readJournal } from '../durable/journal.ts'
import { withFolder } from '../durable/open-folder.ts'
import { writingAsOwnerOf } from '../durable/owner.ts'
import { exists, openOrMake, STATE_FOLDER, syncFolder, stageFile, stagedName } from '../durable/staging.ts'
import { hasOwnLeftovers, recover, type StoreFolders } from '../durable/swap.ts'
import type { WritingSystem } from '../durable/system.ts'
import { isSystemError, systemCodeOf } from '../system-code.ts'

/** A store's folder, and how it is written. */
export interface StoreTarget {
  readonly root: string
  /** For the lock, in milliseconds. */
  readonly timeout: number
  readonly system: WritingSystem
}

export const LOCK = 'lock'

/**
 * Does the work of a write, alone among all writers.
 * @param skills what errors name; none: the store is opened
 * @throws {SkillError} see `SkillStore`
 */
export async function writeStore<T>(
  target: StoreTarget,
  skills: readonly string[],
  work: (folders: StoreFolders) => Promise<T> | T,
): Promise<T> {
  return holdStore(target, skills, (folders) => {
    recover(folders)
    refuseUnfinished(folders)
    return work(folders)
  })
}

/** Does some work alone among all writers. What a killed writer has left stays as it is. */
export async function holdStore<T>(
  target: StoreTarget,
  skills: readonly string[],
  work: (folders: StoreFolders) => Promise<T> | T,
): Promise<T> {
  const { timeout } = target
  let root: OpenFolder | undefined
  let state: OpenFolder | undefined
  try {
    const real = makeRoot(target.root, target.system)
    const { system, giveFile: created } = writingAsOwnerOf(real, target.system)
    root = openPinnedFolder(real)
    state = openOrMake(system, root, STATE_FOLDER, 'made')
    const folders = { system, path: real, root, state }
    return await withFileLock(join(real, STATE_FOLDER, LOCK), { timeout, created }, () => {
      refuseReplaced(folders, real)
      return work(folders)
    })
  } catch (error) {
    throw isOfSystem(error) ? storeError(error, target.root, skills) : error
  } finally {
    state?.close()
    root?.close()
  }
}

/** A change that this user's programs have not noted may have come with the folder, and is neither completed nor undone. */
function refuseUnfinished({ path, state }: StoreFolders): void {
  if (readJournal(state).pending !== undefined) throw unfinished(path)
}

function unfinished(root: string): SkillError {
  const path = join(root, STATE_FOLDER)
  const message = `Nothing was written: ${showName(path)} holds an unfinished change that no program of this user on this machine has made. It came with the folder, or another user has left it. Run "repertoire recover": it shows what is left, and --clear removes it.`
  return new SkillError('FOLDER_NOT_WRITABLE', message, { path })
}

/** The lock was taken by its path: it is the one of these folders only if they are still there. */
function refuseReplaced({ root }: StoreFolders, real: string): void {
  const opened = root.stat(STATE_FOLDER)
  const now = lstatSync(join(real, STATE_FOLDER), { throwIfNoEntry: false })
  if (now?.ino !== opened.ino || now.dev !== opened.dev) throw new OpenError('replaced')
}

/** Finishes what a killed writer of this user has left. If there is nothing of it, nothing is written. */
export async function recoverStore(target: StoreTarget): Promise<void> {
  if (stateIn(target.root).isLeft) await writeStore(target, [], () => {})
}

/**
 * Refuses a folder with a change that is not this user's own. Where it looks so, a writer may just be at work: then it
 * waits for the lock, and looks again.
 * @throws {SkillError} FOLDER_NOT_WRITABLE
 */
export async function refuseForeignChange(target: StoreTarget): Promise<void> {
  if (stateIn(target.root).isForeign) await holdStore(target, [], refuseUnfinished)
}

/** What the store's own folder tells. `isLeft`: this user's programs have left something. */
function stateIn(given: string): { readonly isLeft: boolean; readonly isForeign: boolean } {
  let root: OpenFolder | undefined
  let state: OpenFolder | undefined
  try {
    const real = realpathSync.native(given)
    root = openPinnedFolder(real)
    if (!exists(root, STATE_FOLDER)) return { isLeft: false, isForeign: false }
    state = root.folder(STATE_FOLDER)
    const isNoted = notedChange(real) !== undefined
    const isForeign = readJournal(state).pending !== undefined && !isNoted
    return { isLeft: isNoted || (!isForeign && hasOwnLeftovers({ path: real, state })), isForeign }
  } catch (error) {
    if (isSkillError(error)) throw error
    if (error instanceof OpenError && error.kind === 'link') throw storeError(error, given, [])
    // Nothing is there, or nothing that can be read: the first write says so.
    return { isLeft: false, isForeign: false }
  } finally {
    state?.close()
    root?.close()
  }
}

/** Each folder is made in the one above it: with `recursive`, Node retries for ever in a folder that takes no entries. */
function makeRoot(path: string, system: WritingSystem): string {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) {
    const parent = dirname(path)
    if (parent !== path) makeRoot(parent, system)
    try {
      mkdirSync(path)
      writingAsOwnerOf(parent, system).giveFolder(path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    withFolder(openPinnedFolder(realpathSync.native(parent)), (opened) => syncFolder(system, opened))
  }
  return realpathSync.native(path)
}

const REFUSED = {
  link: 'it, or a folder on the way, is a link, and links are not followed. Put the file or folder itself there.',
  file: 'there is a file where a folder belongs. Choose another name, or move it away.',
  folder: 'there is a folder where a file belongs. Choose another name.',
  special: 'there is a device, a pipe or a socket of that name. Choose another name.',
  replaced: 'a folder on the way was replaced meanwhile. Try again.',
} as const

function isOfSystem(error: unknown): boolean {
  return !isSkillError(error) && (error instanceof OpenError || isSystemError(error))
}

/** Names the remedy for what the system has refused. */
function storeError(error: unknown, root: string, [skill, ...others]: readonly string[]): SkillError {
  const what =
    skill === undefined
      ? `The store in ${showName(root)} is not opened: `
      : others.length === 0
        ? `The skill "${skill}" is not written to ${showName(root)}: `
        : `No skill is written to ${showName(root)}: `
  const kind = error instanceof OpenError ? error.kind : 'system'
  const details = { path: skill === undefined || others.length > 0 ? root : join(root, skill), cause: error }
  if (kind === 'link' || kind === 'folder' || kind === 'special' || kind === 'replaced') {
    return new SkillError('RESOURCE_REFUSED', what + REFUSED[kind], details)
  }
  const code = systemCodeOf(error)
  if (code === 'ENOTDIR') {
    return new SkillError('RESOURCE_REFUSED', what + REFUSED.file, details)
  }
  const message = `${what}the folder cannot be written to${code && ` (${code})`}. Check its permissions and the space on the disk.`
  return new SkillError('FOLDER_NOT_WRITABLE', message, details)
}

const NAME = '.gitignore'

/** Keeps what belongs to one machine alone, such as the lock between writers, out of the project's repository. */
export function ignoreState({ system, state, path }: StoreFolders): void {
  if (exists(state, NAME)) return
  const staged = stagedName(path)
  stageFile(system, state, staged, { bytes: Buffer.from('*\n') })
  state.at(staged, (from) => state.at(NAME, (to) => system.rename(from, to)))
}
