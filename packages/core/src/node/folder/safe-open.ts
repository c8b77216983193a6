/**
 * Opens files and folders in a folder without following a link, even while another process swaps folders for links.
 *
 * To check a path and then open it is a race: in between, a part of it can become a link. So nothing is checked
 * beforehand. On Linux every part of a path is opened from the descriptor of the part before it
 * (`/proc/PID/fd/N/part`) with O_NOFOLLOW, and only what the descriptor refers to counts.
 *
 * On other systems a JavaScript program cannot open a path relative to a descriptor. There every part is checked before
 * and after the opening, and its device and inode must stay those of the opened file. This refuses every link that
 * stays in place; an attacker would have to swap at several moments in a row instead of one.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import type { BigIntStats, Dirent, Stats } from 'node:fs'
import { OpenError, errorCode, explainOpenError, refuseUnlessFile } from './open-error.ts'
import { childPath } from './names.ts'
import { writingIn, type FolderWriting } from './writing.ts'

/** An opened regular file. The caller closes `fd`. */
export interface OpenFile {
  readonly fd: number
  readonly stats: Stats
}

/** An opened folder, from which entries are opened, and in which they are changed, without following links. */
export interface OpenFolder extends FolderWriting<OpenFolder> {
  /** @throws {OpenError} */
  folder(name: string): OpenFolder
  /** @throws {OpenError} */
  file(name: string): OpenFile
  /** The folder's own entries, in no order. @throws {OpenError} */
  entries(): Dirent[]
  /** Of the entry itself: links are not followed. @throws {OpenError} */
  stat(name: string): Stats
  close(): void
}

// Windows has none of these four; there, device and inode are compared instead.
const flag = (name: 'O_NOFOLLOW' | 'O_NONBLOCK' | 'O_NOCTTY' | 'O_DIRECTORY'): number =>
  (constants as Partial<typeof constants>)[name] ?? 0
const NO_FOLLOW = flag('O_NOFOLLOW')
// O_NONBLOCK: opening a FIFO would otherwise wait for a writer.
const FILE_FLAGS = constants.O_RDONLY | NO_FOLLOW | flag('O_NONBLOCK') | flag('O_NOCTTY')
const FOLDER_FLAGS = FILE_FLAGS | flag('O_DIRECTORY')

/** The folder of this process's descriptors, with the process for which it was looked up. */
let descriptors: { readonly pid: number; readonly path: string } | undefined

/** With the process's number in that `/proc`, which its own namespace may not know: resolving `self` takes time. */
function descriptorsPath(): string {
  // A program may continue from a snapshot that another process has made.
  if (descriptors?.pid !== process.pid) {
    descriptors = { pid: process.pid, path: `/proc/${readlinkSync('/proc/self')}/fd/` }
  }
  return descriptors.path
}

const hasDescriptorPaths: boolean = (() => {
  if (process.platform !== 'linux') return false
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
 * Opens a regular file by its path, whose last part must be the file itself and not a link.
 * @throws {OpenError}
 */
export function openRegularFile(path: string): OpenFile {
  let fd: number
  try {
    // Without O_NOFOLLOW, a link must be detected before it is followed.
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
 * Opens a folder that was found earlier, by the real path that it had then. If it is now reached through a link,
 * because it or a parent folder was swapped, it is not the folder that was found.
 * @throws {OpenError}
 */
export function openPinnedFolder(real: string, descriptorPaths: boolean = hasDescriptorPaths): OpenFolder {
  if (!descriptorPaths) return checkedFolder(checkPinned(real), [])
  const fd = openFolderDescriptor(real)
  try {
    if (readlinkSync(descriptorsPath() + fd) !== real) throw new OpenError('replaced')
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
  const folder = (name: string): OpenFolder => descriptorFolder(openFolderDescriptor(base + name))
  return {
    ...writingIn((name, work) => attempt(base + name, () => work(base + name)), folder),
    folder,
    file: (name) => openRegularFile(base + name),
    entries: () => attempt(base, () => readdirSync(base, { withFileTypes: true })),
    stat: (name) => attempt(base + name, () => lstatSync(base + name)),
    close: () => closeFolder(fd),
  }
}

/** Nothing was written through it, so that nothing is lost where the system reports an error of the disk only now. */
function closeFolder(fd: number): void {
  try {
    closeSync(fd)
  } catch (error) {
    if (errorCode(error) !== 'EIO') throw error
  }
}

/** A folder as it was checked first, for systems where everything is checked twice. */
interface CheckedFolder {
  readonly path: string
  readonly stats: BigIntStats
}

function checkPinned(real: string): CheckedFolder {
  return attempt(real, () => {
    if (realpathSync.native(real) !== real) throw new OpenError('replaced')
    return checkFolder(real)
  })
}

function checkFolder(path: string): CheckedFolder {
  return attempt(path, () => {
    const stats = lstatSync(path, { bigint: true })
    if (stats.isSymbolicLink()) throw new OpenError('link')
    if (!stats.isDirectory()) throw new OpenError('missing')
    return { path, stats }
  })
}

function checkedFolder(self: CheckedFolder, parents: readonly CheckedFolder[]): OpenFolder {
  const chain = [...parents, self]
  const verify = (): void => {
    for (const { path, stats } of chain) {
      if (!isSameFile(checkFolder(path).stats, stats)) throw new OpenError('replaced')
    }
  }
  const verified = <T>(path: string, work: () => T): T => {
    const result = attempt(path, work)
    verify()
    return result
  }
  const folder = (name: string): OpenFolder => {
    const path = childPath(self.path, name)
    return checkedFolder(
      verified(path, () => checkFolder(path)),
      chain,
    )
  }
  const changed = <T>(name: string, work: (path: string) => T): T => {
    verify()
    const path = childPath(self.path, name)
    return verified(path, () => work(path))
  }
  return {
    ...writingIn(changed, folder),
    folder,
    file: (name) => {
      const path = childPath(self.path, name)
      const file = openRegularFile(path)
      try {
        const opened = fstatSync(file.fd, { bigint: true })
        verified(path, () => {
          const real = realpathSync.native(path)
          // A file system that ignores case opens other spellings too; only the real one is the file's name.
          if (real !== path) throw new OpenError(real.toLowerCase() === path.toLowerCase() ? 'missing' : 'replaced')
          if (!isSameFile(lstatSync(path, { bigint: true }), opened)) throw new OpenError('replaced')
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

// On Windows the device numbers of a path and of a descriptor differ in width, so only the file's number is compared.
const isSameFile = (a: BigIntStats, b: BigIntStats): boolean =>
  a.ino === b.ino && (process.platform === 'win32' || a.dev === b.dev)

function attempt<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw explainOpenError(error, path)
  }
}
