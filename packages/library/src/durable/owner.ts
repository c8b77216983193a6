import { closeSync, constants, fchownSync, fstatSync, openSync, readdirSync, statSync } from 'node:fs'
import process, { platform } from 'node:process'
import type { WritingSystem } from './system.ts'

/** Without the right to give files to others, or file systems without owners. */
const WITHOUT_OWNERS: ReadonlySet<string> = new Set(['EPERM', 'EACCES', 'EINVAL', 'ENOSYS', 'EOPNOTSUPP', 'ENOTSUP'])

const optional = (name: 'O_NOFOLLOW' | 'O_DIRECTORY'): number => (constants as Partial<typeof constants>)[name] ?? 0
const FOLDER_FLAGS = constants.O_RDONLY | optional('O_NOFOLLOW') | optional('O_DIRECTORY')

/** Writes files that belong to the owner of the folder. */
export interface OwnedWriting {
  readonly system: WritingSystem
  /** Gives away a file that was just created. */
  readonly giveFile: (descriptor: number) => void
  /** Gives away a folder that was just made. */
  readonly giveFolder: (path: string) => void
}

/**
 * An administrator who writes to a user's folder must not lock the user out of it. Nobody else can give files to others, so
 * for them everything stays as it is. Only what was created here is given away, by its descriptor: by its path, the user
 * could have put another file in its place.
 */
export function writingAsOwnerOf(folder: string, system: WritingSystem): OwnedWriting {
  const { uid, gid } = statSync(folder)
  if (process.geteuid?.() !== 0 || (uid === 0 && gid === process.getegid?.())) {
    return { system, giveFile: () => {}, giveFolder: () => {} }
  }
  const giveFile = (descriptor: number): void => {
    try {
      fchownSync(descriptor, uid, gid)
    } catch (error) {
      if (!WITHOUT_OWNERS.has((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
  }
  const giveFolder = (path: string): void => {
    const descriptor = openSync(path, FOLDER_FLAGS)
    try {
      // A new folder is one of this user's, and empty.
      if (fstatSync(descriptor).uid === 0 && readdirSync(pathOf(descriptor, path)).length === 0) giveFile(descriptor)
    } finally {
      closeSync(descriptor)
    }
  }
  return {
    giveFile,
    giveFolder,
    system: {
      ...system,
      createFile(path, mode) {
        const descriptor = system.createFile(path, mode)
        giveFile(descriptor)
        return descriptor
      },
      makeFolder(path) {
        system.makeFolder(path)
        giveFolder(path)
      },
    },
  }
}

/** By its descriptor where the system shows such paths, so that it is the opened folder that is looked into. */
function pathOf(descriptor: number, path: string): string {
  return platform === 'linux' ? `/proc/self/fd/${descriptor}` : path
}
