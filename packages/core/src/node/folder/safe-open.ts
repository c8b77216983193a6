/**
 * Opens what lies in a folder without following a link, also while somebody swaps folders for links.
 *
 * A path that was checked and is then opened is a race: between the two, a part of it can become a link. So
 * nothing is checked beforehand. On Linux every part of a path is opened from the descriptor of the part before it
 * (`/proc/PID/fd/N/part`) with O_NOFOLLOW, and what counts is what the descriptor holds, not what the path says.
 *
 * Other systems give a JavaScript program no way to open relative to a descriptor. There the parts are looked at
 * before and after the opening, and device and inode must be those of the opened file all along. That refuses every
 * link that stands still, and leaves a swapper several moments to hit in a row instead of one.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import type { BigIntStats, Dirent, Stats } from 'node:fs'
import process, { platform } from 'node:process'
import { childPath } from './child-path.ts'
import { OpenFailure, explainOpenError, refuseUnlessFile } from './open-failure.ts'

/** An opened regular file. Whoever gets one closes `fd`. */
export interface OpenFile {
  readonly fd: number
  readonly stats: Stats
}

/** An opened folder, and what can be reached from it without a link. */
export interface OpenFolder {
  /** @throws {OpenFailure} */
  folder(name: string): OpenFolder
  /** @throws {OpenFailure} */
  file(name: string): OpenFile
  /** The folder's own entries, in no order. @throws {OpenFailure} */
  entries(): Dirent[]
  /** What stands under the name, links not followed. @throws {OpenFailure} */
  stat(name: string): Stats
  close(): void
}

// Windows knows none of the last four; the checks by device and inode stand in for them there.
const flag = (name: 'O_NOFOLLOW' | 'O_NONBLOCK' | 'O_NOCTTY' | 'O_DIRECTORY'): number =>
  (constants as Partial<typeof constants>)[name] ?? 0
const NO_FOLLOW = flag('O_NOFOLLOW')
// O_NONBLOCK: to open a FIFO would otherwise wait for a writer that never comes.
const FILE_FLAGS = constants.O_RDONLY | NO_FOLLOW | flag('O_NONBLOCK') | flag('O_NOCTTY')
const FOLDER_FLAGS = FILE_FLAGS | flag('O_DIRECTORY')

/** The folder of this process's descriptors, and of which process it was. */
let descriptors: { readonly pid: number; readonly path: string } | undefined

/** By the process's number in that `/proc`, whatever its own namespace calls it: `self` is a link that takes time. */
function descriptorsPath(): string {
  // A program may go on from a snapshot that another process has made.
  if (descriptors?.pid !== process.pid) {
    descriptors = { pid: process.pid, path: `/proc/${readlinkSync('/proc/self')}/fd/` }
  }
  return descriptors.path
}

/** Whether `/proc` gives out the paths of this process's descriptors. */
export const hasDescriptorPaths: boolean = (() => {
  if (platform !== 'linux') return false
  try {
    const fd = openSync('/', FOLDER_FLAGS)
    try {
      return readlinkSync(descriptorsPath() + fd) === '/'
    } finally {
      closeSync(fd)
    }
  } catch {
    return false
  }
})()

/**
 * Opens a regular file by its path, and only if the last part of the path is the file itself.
 * @throws {OpenFailure}
 */
export function openRegularFile(path: string): OpenFile {
  let fd: number
  try {
    // Where the system has no O_NOFOLLOW, the link must be seen before it is followed.
    if (NO_FOLLOW === 0) refuseUnlessFile(lstatSync(path))
    fd = openSync(path, FILE_FLAGS)
  } catch (error) {
    throw explainOpenError(error, path)
  }
  try {
    const stats = fstatSync(fd)
    refuseUnlessFile(stats)
    return { fd, stats }
  } catch (error) {
    closeSync(fd)
    throw explainOpenError(error, path)
  }
}

/**
 * Opens a folder that was found before, by the real path that it had then. The path is the pin: a folder that is now
 * reached through a link, because it or a folder above it was swapped, is not the one that was found.
 * @throws {OpenFailure}
 */
export function openPinnedFolder(real: string, descriptorPaths: boolean = hasDescriptorPaths): OpenFolder {
  if (!descriptorPaths) return checkedFolder(pinned(real), [])
  const fd = openFolderDescriptor(real)
  try {
    if (readlinkSync(descriptorsPath() + fd) !== real) throw new OpenFailure('replaced')
    return descriptorFolder(fd)
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

function openFolderDescriptor(path: string): number {
  try {
    return openSync(path, FOLDER_FLAGS)
  } catch (error) {
    throw explainOpenError(error, path)
  }
}

function descriptorFolder(fd: number): OpenFolder {
  const base = `${descriptorsPath()}${fd}/`
  return {
    folder: (name) => descriptorFolder(openFolderDescriptor(base + name)),
    file: (name) => openRegularFile(base + name),
    entries: () => attempt(base, () => readdirSync(base, { withFileTypes: true })),
    stat: (name) => attempt(base + name, () => lstatSync(base + name)),
    close: () => closeSync(fd),
  }
}

/** A folder as it was seen, for the systems that must look twice. */
interface SeenFolder {
  readonly path: string
  readonly stats: BigIntStats
}

function pinned(real: string): SeenFolder {
  return attempt(real, () => {
    if (realpathSync.native(real) !== real) throw new OpenFailure('replaced')
    return seen(real)
  })
}

function seen(path: string): SeenFolder {
  return attempt(path, () => {
    const stats = lstatSync(path, { bigint: true })
    if (stats.isSymbolicLink()) throw new OpenFailure('link')
    if (!stats.isDirectory()) throw new OpenFailure('missing')
    return { path, stats }
  })
}

function checkedFolder(self: SeenFolder, above: readonly SeenFolder[]): OpenFolder {
  const chain = [...above, self]
  const verify = (): void => {
    for (const { path, stats } of chain) {
      if (!sameFile(seen(path).stats, stats)) throw new OpenFailure('replaced')
    }
  }
  const verified = <T>(path: string, look: () => T): T => {
    const result = attempt(path, look)
    verify()
    return result
  }
  return {
    folder: (name) => {
      const path = childPath(self.path, name)
      return checkedFolder(
        verified(path, () => seen(path)),
        chain,
      )
    },
    file: (name) => {
      const path = childPath(self.path, name)
      const file = openRegularFile(path)
      try {
        const opened = fstatSync(file.fd, { bigint: true })
        verified(path, () => {
          const real = realpathSync.native(path)
          // A file system that ignores case opens other spellings too; only the true one is the file's name.
          if (real !== path) throw new OpenFailure(real.toLowerCase() === path.toLowerCase() ? 'missing' : 'replaced')
          if (!sameFile(lstatSync(path, { bigint: true }), opened)) throw new OpenFailure('replaced')
        })
        return file
      } catch (error) {
        closeSync(file.fd)
        throw error
      }
    },
    entries: () => verified(self.path, () => readdirSync(self.path, { withFileTypes: true })),
    stat: (name) => verified(childPath(self.path, name), () => lstatSync(childPath(self.path, name))),
    close: () => {},
  }
}

// On Windows the volume's number differs in width between a path and a descriptor, so the file's number decides.
const sameFile = (a: BigIntStats, b: BigIntStats): boolean =>
  a.ino === b.ino && (platform === 'win32' || a.dev === b.dev)

function attempt<T>(path: string, look: () => T): T {
  try {
    return look()
  } catch (error) {
    throw explainOpenError(error, path)
  }
}
