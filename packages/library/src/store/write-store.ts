import { lstatSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isSkillError, showName, SkillError } from '@repertoire/core'
import { OpenFailure, openPinnedFolder } from '@repertoire/core/node'
import type { OpenFolder } from '@repertoire/core/node'
import { withFileLock } from '../durable/file-lock.ts'
import { readJournal } from '../durable/journal.ts'
import { writingAsOwnerOf } from '../durable/owner.ts'
import { exists, isLeftover, openOrMake, syncFolder } from '../durable/staging.ts'
import { recover } from '../durable/swap.ts'
import type { StoreFolders } from '../durable/swap.ts'
import type { WritingSystem } from '../durable/system.ts'
import { STATE_FOLDER } from './store-folder.ts'
import { isSystemError, systemCodeOf } from '../system-code.ts'

/** A store's folder, and how it is written. */
export interface StoreTarget {
  readonly root: string
  /** For the lock, in milliseconds. */
  readonly timeout: number
  readonly system: WritingSystem
}

const LOCK = 'lock'

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
      recover(folders)
      return work(folders)
    })
  } catch (error) {
    throw isOfSystem(error) ? storeError(error, target.root, skills) : error
  } finally {
    state?.close()
    root?.close()
  }
}

/** The lock was taken by its path: it is the one of these folders only if they are still there. */
function refuseReplaced({ root }: StoreFolders, real: string): void {
  const opened = root.stat(STATE_FOLDER)
  const now = lstatSync(join(real, STATE_FOLDER), { throwIfNoEntry: false })
  if (now?.ino !== opened.ino || now.dev !== opened.dev) throw new OpenFailure('replaced')
}

/** Puts right what a writer has left that was ended on its way. Where there is nothing of it, nothing is written. */
export async function recoverStore(target: StoreTarget): Promise<void> {
  if (isLeft(target.root)) await writeStore(target, [], () => {})
}

function isLeft(given: string): boolean {
  let root: OpenFolder | undefined
  let state: OpenFolder | undefined
  try {
    root = openPinnedFolder(realpathSync.native(given))
    if (!exists(root, STATE_FOLDER)) return false
    state = root.folder(STATE_FOLDER)
    return readJournal(state).pending !== undefined || state.entries().some(({ name }) => isLeftover(name))
  } catch (error) {
    if (isSkillError(error)) throw error
    if (error instanceof OpenFailure && error.kind === 'link') throw storeError(error, given, [])
    // Nothing is there, or nothing that can be read: the first write says so.
    return false
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
    const opened = openPinnedFolder(realpathSync.native(parent))
    try {
      syncFolder(system, opened)
    } finally {
      opened.close()
    }
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
  return !isSkillError(error) && (error instanceof OpenFailure || isSystemError(error))
}

/** Names the remedy for what the system has refused. */
function storeError(error: unknown, root: string, [skill, ...others]: readonly string[]): SkillError {
  const what =
    skill === undefined
      ? `The store in ${showName(root)} is not opened: `
      : others.length === 0
        ? `The skill "${skill}" is not written to ${showName(root)}: `
        : `No skill is written to ${showName(root)}: `
  const kind = error instanceof OpenFailure ? error.kind : 'system'
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
