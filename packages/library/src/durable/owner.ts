import { fchownSync, lchownSync, statSync } from 'node:fs'
import process from 'node:process'
import type { WritingSystem } from './system.ts'

/** Without the right to give files to others, or file systems without owners. */
const WITHOUT_OWNERS: ReadonlySet<string> = new Set(['EPERM', 'EACCES', 'EINVAL', 'ENOSYS', 'EOPNOTSUPP', 'ENOTSUP'])

/** What is written, and the lock between writers, belongs to whom the folder belongs to. */
export interface OwnedWriting {
  readonly system: WritingSystem
  /** Gives a file that was made by its path. */
  readonly give: (path: string) => void
}

/**
 * An administrator who writes to a user's folder must not lock the user out of it. Nobody else can give files to others, so
 * for them everything stays as it is.
 */
export function writingAsOwnerOf(folder: string, system: WritingSystem): OwnedWriting {
  const { uid, gid } = statSync(folder)
  if (process.geteuid?.() !== 0 || (uid === 0 && gid === process.getegid?.())) return { system, give: () => {} }
  return {
    give: (path) => attempt(() => lchownSync(path, uid, gid)),
    system: {
      ...system,
      createFile(path, mode) {
        const descriptor = system.createFile(path, mode)
        attempt(() => fchownSync(descriptor, uid, gid))
        return descriptor
      },
      makeFolder(path) {
        system.makeFolder(path)
        attempt(() => lchownSync(path, uid, gid))
      },
    },
  }
}

function attempt(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!WITHOUT_OWNERS.has((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
