import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import type { Stats } from 'node:fs'
import { errorCode, refuseUnlessFile } from './open-error.ts'

/** Options of `FolderWriting.write`. */
export interface WriteOptions {
  /** The file's permissions. Default: those of the file that is replaced, and for a new one what the process gives. */
  readonly mode?: number | undefined
  /** Called when only the last step, the renaming, is left. What it throws leaves everything as it was. */
  readonly check?: (() => void) | undefined
}

/** What changes the entries of an open folder. Links are never followed: they are refused, or are what is removed. */
export interface FolderWriting<Folder> {
  /**
   * Runs an operation of the file system on the path of an entry. The path holds during the call alone, and the
   * operation must not follow the entry itself if it is a link. With `.`: on the folder.
   * @throws {OpenError}
   */
  at<T>(name: string, work: (path: string) => T): T
  /** Opens a folder, and creates it first if there is nothing of that name. @throws {OpenError} */
  makeFolder(name: string): Folder
  /** Creates or replaces a regular file in one step: no reader sees a part of it. @throws {OpenError} */
  write(name: string, bytes: Uint8Array, options?: WriteOptions): void
  /** Gives an entry another name, in another folder or in this one. Never replaces anything. @throws {OpenError} */
  move(name: string, target: Pick<FolderWriting<Folder>, 'at'>, targetName: string): void
  /** Removes a file, a link or an empty folder. @throws {OpenError} */
  remove(name: string): void
  /** Returns when the folder's entries are on the disk. @throws {OpenError} */
  sync(): void
}

const NEW_FILE_FLAGS =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | ((constants as Partial<typeof constants>).O_NOFOLLOW ?? 0)
const NEW_FILE_MODE = 0o666
const PERMISSIONS = 0o777

/** Systems and file systems without hard links, or without the right to make one of another user's file. */
const WITHOUT_LINKS: ReadonlySet<string> = new Set(['EPERM', 'EACCES', 'ENOSYS', 'EOPNOTSUPP', 'ENOTSUP', 'EMLINK'])

/** Without the right to give files to others, or file systems without owners. */
const WITHOUT_OWNERS: ReadonlySet<string> = new Set(['EPERM', 'EACCES', 'EINVAL', 'ENOSYS', 'EOPNOTSUPP', 'ENOTSUP'])

export function writingIn<Folder>(
  at: FolderWriting<Folder>['at'],
  open: (name: string) => Folder,
): FolderWriting<Folder> {
  return {
    at,
    makeFolder(name) {
      at(name, makeUnlessThere)
      return open(name)
    },
    write(name, bytes, { mode, check } = {}) {
      const staging = `.repertoire-${crypto.randomUUID()}`
      const before = at(name, statOf)
      if (before !== undefined) refuseUnlessFile(before)
      const permissions = mode ?? (before === undefined ? undefined : before.mode & PERMISSIONS)
      try {
        at(staging, (path) => writeNew(path, bytes, permissions, before))
        check?.()
        at(staging, (from) => at(name, (to) => replace(from, to)))
      } catch (error) {
        at(staging, unlinkIfThere)
        throw error
      }
      try {
        at('.', syncFolder)
      } catch {
        // The file is in its place: an error would say that nothing has changed.
      }
    },
    move(name, target, targetName) {
      at(name, (from) => target.at(targetName, (to) => moveTo(from, to)))
    },
    remove(name) {
      at(name, (path) => (lstatSync(path).isDirectory() ? rmdirSync(path) : unlinkSync(path)))
    },
    sync: () => at('.', syncFolder),
  }
}

function makeUnlessThere(path: string): void {
  try {
    mkdirSync(path)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  }
}

/** Writes a file that is not there yet, and is on the disk when this returns. @param before whose owner it gets */
export function writeNew(path: string, bytes: Uint8Array, permissions?: number, before?: Stats): void {
  const fd = openSync(path, NEW_FILE_FLAGS, NEW_FILE_MODE)
  try {
    writeFileSync(fd, bytes)
    if (before !== undefined) keepOwner(fd, before)
    // What the process takes away from new files does not hold for permissions that were asked for.
    if (permissions !== undefined) fchmodSync(fd, permissions)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

function syncFolder(path: string): void {
  // Windows opens no folder, and keeps its entries by itself.
  if (process.platform === 'win32') return
  const fd = openSync(path, constants.O_RDONLY)
  try {
    fsyncSync(fd)
  } catch (error) {
    // File systems that cannot do this keep entries in order by themselves, or promise nothing.
    if (!['EINVAL', 'ENOTSUP', 'ENOSYS'].includes(errorCode(error))) throw error
  } finally {
    closeSync(fd)
  }
}

/** The administrator who writes a user's file must not take it away. No other user can give files to others. */
function keepOwner(fd: number, { uid, gid }: Stats): void {
  const now = fstatSync(fd)
  if (now.uid === uid && now.gid === gid) return
  try {
    fchownSync(fd, uid, gid)
  } catch (error) {
    if (!WITHOUT_OWNERS.has(errorCode(error))) throw error
  }
}

/** A link that has appeared meanwhile would be replaced, and not followed; it is refused all the same. */
function replace(from: string, to: string): void {
  const there = statOf(to)
  if (there !== undefined) refuseUnlessFile(there)
  renameSync(from, to)
}

/** `rename` alone would replace a file that appears at the last moment; a second name for the same file does not. */
function moveTo(from: string, to: string): void {
  if (statOf(to) !== undefined) throw Object.assign(new Error(`${to} exists`), { code: 'EEXIST' })
  if (!lstatSync(from).isDirectory()) {
    try {
      linkSync(from, to)
      return unlinkSync(from)
    } catch (error) {
      if (!WITHOUT_LINKS.has(errorCode(error))) throw error
    }
  }
  renameSync(from, to)
}

function statOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false })
}

function unlinkIfThere(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
}
