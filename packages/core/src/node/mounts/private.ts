import { lstatSync, readdirSync, renameSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isSkillError, SkillError } from '../../errors.ts'
import { pathProblem, quoted } from '../../resources/path.ts'
import type { Mount, MountFile, MountRequest, SkillMounts } from '../../ports/mount.ts'
import { childPath } from '../folder/child-path.ts'
import { folderName } from '../folder/name.ts'
import { errorCode } from '../folder/open-failure.ts'
import { openIn, openRoot, removeEmpty, removeIn, type TaskFolder, writeNew } from './task-folder.ts'

/** How private copies are kept. */
export interface PrivateMountsOptions {
  /**
   * The folder below which each task has its space, `private/<task>/.skills/<skill>`. Made at the first mount. Absolute,
   * or relative to the working folder of this moment. Only this user may be able to write to what is made in it.
   */
  readonly root: string
  /** The largest copy of one skill, in bytes. Default 256 MiB. */
  readonly maxBytes?: number
  /** Milliseconds since 1970. Default: the machine's. */
  readonly now?: () => number
}

/** Private copies on disk. */
export interface PrivateMounts extends SkillMounts {
  /**
   * Removes the copies of tasks that were never ended, as after a crash.
   * @param options.keep the ids of the tasks that go on, those of other processes too
   * @param options.olderThan milliseconds since something was last mounted for the task; default 0
   * @returns the names of the folders whose copies were removed
   * @throws {SkillError} FOLDER_NOT_WRITABLE: one could not be removed; all others are
   */
  sweep(options: { readonly keep: Iterable<string>; readonly olderThan?: number }): Promise<readonly string[]>
}

const SPACES = 'private'
const SKILLS = '.skills'
const MAX_BYTES = 256 * 1024 * 1024

/** How often a mount is begun again where the space of the task is removed in that moment. */
const ATTEMPTS = 10

/**
 * Copies of skills in the private space of each task: files that only this user can read and nobody can write (0400,
 * 0500 where they run), in folders of 0700. What is given to a model is `private:/.skills/<skill>`. A task's id, and a
 * name that is not a plain one, become a folder's name that leads nowhere else and that no other has. Links are never
 * followed.
 * @throws {TypeError} an option does not have the shape named here
 */
export function privateMounts(options: PrivateMountsOptions): PrivateMounts {
  const { root: given, maxBytes = MAX_BYTES, now = Date.now } = options
  if (typeof given !== 'string' || given === '') throw new TypeError('privateMounts: `root` is the path of a folder.')
  if (!(maxBytes > 0)) throw new TypeError('privateMounts: `maxBytes` is a number of bytes, more than 0.')
  const root = resolve(given)

  return {
    async mount({ task, skill, files }: MountRequest): Promise<Mount> {
      const name = folderName(skill)
      for (let attempt = 1; ; attempt++) {
        try {
          const put = (skills: TaskFolder): Promise<string> => putWhole(skills, name, files, maxBytes)
          const location = await within(root, [SPACES, folderName(task), SKILLS], true, put)
          return { path: `private:/${SKILLS}/${name}`, location: location! }
        } catch (error) {
          await clearSpace(root, task)
          if (!isGone(error) || attempt === ATTEMPTS) throw error
        }
      }
    },
    async unmount(task, skill) {
      if (skill === undefined) {
        await within(root, [SPACES], false, (spaces) => removeSpace(spaces, folderName(task)))
        return
      }
      await within(root, [SPACES, folderName(task), SKILLS], false, (skills) => removeWhole(skills, folderName(skill)))
      await clearSpace(root, task)
    },
    async sweep({ keep, olderThan = 0 }) {
      const kept = new Set(Array.from(keep, folderName))
      const before = now() - olderThan
      const swept = await within(root, [SPACES], false, (spaces) => {
        const names = readdirSync(spaces.base).toSorted()
        return sweepEach(
          names.filter((name) => !kept.has(name)),
          (name) => isOld(spaces, name, before) && removeSpace(spaces, name),
        )
      })
      return swept ?? []
    },
  }
}

/** Those that were swept. One that cannot be keeps no other from it. @throws why one could not be, after all others */
function sweepEach(names: readonly string[], sweep: (name: string) => boolean): readonly string[] {
  const failures: unknown[] = []
  const swept = names.filter((name) => {
    try {
      return sweep(name)
    } catch (error) {
      failures.push(error)
      return false
    }
  })
  if (failures.length > 0) throw failures[0]
  return swept
}

/** Opens folders, one in the other, and does something in the last; undefined where one is missing and none is made. */
async function within<T>(
  root: string,
  names: readonly string[],
  make: boolean,
  work: (folder: TaskFolder) => T | Promise<T>,
): Promise<T | undefined> {
  const opened: TaskFolder[] = []
  try {
    let folder = openRoot(root, make)
    for (const name of names) {
      if (folder === undefined) return undefined
      opened.push(folder)
      folder = openIn(folder, name, make)
    }
    if (folder === undefined) return undefined
    opened.push(folder)
    return await work(folder)
  } finally {
    for (const folder of opened) folder.close()
  }
}

/** Copies beside the place, and moves the whole there in one step. */
async function putWhole(
  skills: TaskFolder,
  name: string,
  files: readonly MountFile[],
  maxBytes: number,
): Promise<string> {
  const staging = `.new-${crypto.randomUUID()}`
  const made = openIn(skills, staging, true)!
  try {
    let left = maxBytes
    for (const file of files) {
      const bytes = await file.read()
      left -= bytes.length
      if (left < 0) {
        throw new SkillError('RESOURCE_TOO_LARGE', `The folder holds more than ${maxBytes} bytes. Raise \`maxBytes\`.`)
      }
      await copyTo(made, file, bytes)
    }
    removeWhole(skills, name)
    renameSync(childPath(skills.base, staging), childPath(skills.base, name))
    return join(skills.path, name)
  } catch (error) {
    removeIn(skills, staging)
    throw error
  } finally {
    made.close()
  }
}

async function copyTo(folder: TaskFolder, { path, executable }: MountFile, bytes: Uint8Array): Promise<void> {
  const problem = pathProblem(path)
  if (problem !== undefined) {
    throw new SkillError('RESOURCE_PATH_INVALID', `${quoted(path)} is not a path inside a skill's folder: ${problem}.`)
  }
  const [name = '', ...above] = path.split('/').toReversed()
  const opened = [folder]
  try {
    for (const part of above.toReversed()) opened.push(openIn(opened.at(-1)!, part, true)!)
    await writeNew(opened.at(-1)!, name, bytes, executable)
  } finally {
    for (const inner of opened.slice(1)) inner.close()
  }
}

/** Moves what stands under a name out of sight first, so that nobody sees half of it. */
function removeWhole(folder: TaskFolder, name: string): void {
  const old = `${OLD}${crypto.randomUUID()}`
  try {
    renameSync(childPath(folder.base, name), childPath(folder.base, old))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return
    throw error
  }
  removeIn(folder, old)
}

/** What a copy is called while it is removed. A crash may leave it. */
const OLD = '.skills-old-'

/** Removes the copies of a task, and its space where nothing else is in it. Tells whether there were any. */
function removeSpace(spaces: TaskFolder, task: string): boolean {
  const space = openIn(spaces, task, false)
  if (space === undefined) return false
  try {
    const copies = readdirSync(space.base).filter((name) => name === SKILLS || name.startsWith(OLD))
    for (const name of copies) {
      if (name === SKILLS) removeWhole(space, name)
      else removeIn(space, name)
    }
    return copies.length > 0
  } finally {
    space.close()
    removeEmpty(spaces, task)
  }
}

/** Removes a task's space where it is empty. */
async function clearSpace(root: string, task: string): Promise<void> {
  const name = folderName(task)
  await within(root, [SPACES, name], false, (space) => removeEmpty(space, SKILLS))
  await within(root, [SPACES], false, (spaces) => removeEmpty(spaces, name))
}

function isOld(spaces: TaskFolder, task: string, before: number): boolean {
  // What is not a folder holds no copy: a link that a task's own tools have left.
  if (lstatSync(childPath(spaces.base, task), { throwIfNoEntry: false })?.isDirectory() !== true) return false
  const changed = [SKILLS, '.'].map((name) => statSync(join(spaces.base, task, name), { throwIfNoEntry: false }))
  const newest = changed.find((stats) => stats !== undefined)
  // A file system's clock is finer than that of `now`.
  return newest !== undefined && Math.floor(newest.mtimeMs) <= before
}

/** Whether a folder was removed between its making and its use, as where another session of the task has ended. */
function isGone(error: unknown): boolean {
  if (errorCode(error) === 'ENOENT') return true
  return isSkillError(error) && error.code === 'FOLDER_NOT_WRITABLE' && errorCode(error.cause) === 'ENOENT'
}
