import { lstatSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isSkillError } from '@repertoire/core'
import { isFileLocked } from '../durable/file-lock.ts'
import { withFolder } from '../durable/open-folder.ts'
import { removeTree } from '../durable/staging.ts'
import { writingSystem } from '../durable/system.ts'
import { leftBeside, openProject, withHeldLock, WRITERS_LOCK, type ChangeLockOptions } from './lock-file.ts'

/** Parts of the lock file that were never used, and whether this user's programs have left them. None while it is written. */
export async function lockLeftovers(
  project: string,
): Promise<readonly { readonly name: string; readonly own: boolean }[]> {
  const root = openProject(project)
  if (root === undefined) return []
  try {
    if (await isFileLocked(join(resolve(project), WRITERS_LOCK))) return []
    return leftBeside(root, realpathSync.native(project))
  } finally {
    root.close()
  }
}

/** Removes what `lockLeftovers` returns, and returns it. */
export async function clearLockLeftovers(
  project: string,
  options: ChangeLockOptions,
): ReturnType<typeof lockLeftovers> {
  return withHeldLock(project, options, writingSystem, () =>
    withFolder(openProject(project)!, (root) => {
      const real = realpathSync.native(project)
      const left = leftBeside(root, real)
      for (const { name } of left) removeTree(writingSystem, real, root, name)
      return left
    }),
  )
}

/** Removes what a killed writer of this user has left of a lock: also the empty file by which writers wait for each other. */
export async function recoverSkillsLock(project: string): Promise<void> {
  const path = join(resolve(project), WRITERS_LOCK)
  const isLeft = lstatSync(path, { throwIfNoEntry: false }) !== undefined
  if (!isLeft && !(await lockLeftovers(project)).some(({ own }) => own)) return
  try {
    await withHeldLock(project, { timeout: 0 }, writingSystem, () => {})
  } catch (error) {
    // Held by another program, or in a folder that this user cannot write.
    if (!isSkillError(error) || (error.code !== 'TIMED_OUT' && error.code !== 'FOLDER_NOT_WRITABLE')) throw error
  }
}
