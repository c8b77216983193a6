import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { showName, SkillError } from '@repertoire/core'
import { lockOf } from './lock-file.ts'
import { LOCK_NAME, type SkillsLock } from './skills-lock.ts'

/**
 * Reads the `skills-lock.json` of a project that has one.
 * @throws {SkillError} LOCK_MISSING: there is none; with the nearest one above, if there is one. And as `readSkillsLock`
 */
export async function requireSkillsLock(project: string): Promise<SkillsLock> {
  const path = join(resolve(project), LOCK_NAME)
  const lock = lockOf(project)
  if (lock !== undefined) return lock
  const above = lockAbove(dirname(path))
  const hint =
    above === undefined
      ? 'Check the folder, or install skills with "add": that writes it.'
      : `There is one in ${showName(above)}: is that the project?`
  throw new SkillError('LOCK_MISSING', `There is no ${showName(path)}, so nothing is known to be installed. ${hint}`, {
    path,
  })
}

/** The nearest folder above with a lock. */
function lockAbove(folder: string): string | undefined {
  const parent = dirname(folder)
  if (parent === folder) return undefined
  return existsSync(join(parent, LOCK_NAME)) ? parent : lockAbove(parent)
}
