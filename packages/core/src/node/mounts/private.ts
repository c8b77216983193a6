import { join, resolve } from 'node:path'
import {
  SkillError,
  number,
  required,
  text,
  withDefault,
  checkOptions,
  type OptionTable,
} from '@repertoire/skill-md/internal'
import type { Mount, MountFile, MountRequest, SkillMounts } from '../../ports/mount.ts'
import { pathProblem, quoted } from '../../resources/path.ts'
import { isMissing } from '../folder/leftovers.ts'
import { removeTree } from '../folder/open-folder.ts'
import { skillFolder } from '../folder/skill.ts'
import { folderName, openIn, openRoot, removeEmpty, systemError, type TaskFolder, writeNew } from './task-folder.ts'
import { hasCode } from '../../text/message.ts'

/** Options of `privateMounts`. */
export interface PrivateMountsOptions {
  /**
   * The folder in which each task has a folder of its own, `private/<task>/.skills/<skill>`. Created at the first mount.
   * Absolute, or relative to the current working folder. No other user may be able to write to what is created in it.
   */
  readonly root: string
  /** The largest copy of one skill, in bytes. Default 256 MiB. */
  readonly maxBytes?: number | undefined
}

const TASKS = 'private'
const SKILLS = '.skills'

/** How often a mount is tried if the folder of the task is removed meanwhile. */
const MAX_ATTEMPTS = 10

const DEFAULT_MAX_BYTES = 256 * 1024 * 1024

const PRIVATE_MOUNTS_OPTIONS: OptionTable<PrivateMountsOptions> = {
  root: required(text),
  maxBytes: withDefault(DEFAULT_MAX_BYTES, number('bytes', { above: 0, isUnlimited: true })),
}

/**
 * Keeps copies of skills in a private folder of each task: files that only this user can read and nobody can write (0400,
 * 0500 if executable), in folders of 0700. A model is shown `private:/.skills/<skill>`. The folder names for a task's id
 * and for an unusual skill name are unique, and never paths to another folder. Links are never followed.
 * @throws {TypeError} an option is unknown or has the wrong type
 */
export function privateMounts(options: PrivateMountsOptions): SkillMounts {
  checkOptions('privateMounts', PRIVATE_MOUNTS_OPTIONS, options)
  const { root: rootOption, maxBytes = DEFAULT_MAX_BYTES } = options
  const root = resolve(rootOption)
  return {
    async mount({ task, skill, files }: MountRequest): Promise<Mount> {
      const name = folderName(skill)
      for (let attempt = 1; ; attempt++) {
        try {
          const copy = (skills: TaskFolder): Promise<string> => copySkill(skills, name, files, maxBytes)
          const location = await within(root, [TASKS, folderName(task), SKILLS], true, copy)
          return { path: `private:/${SKILLS}/${name}`, location: location! }
        } catch (error) {
          await removeEmptyTask(root, task)
          if (!wasRemoved(error) || attempt === MAX_ATTEMPTS) throw error
        }
      }
    },
    open: ({ location }) => skillFolder(location),
    async unmount(task, skill) {
      if (skill === undefined) {
        await within(root, [TASKS], false, (tasks) => removeCopies(tasks, folderName(task)))
        return
      }
      await within(root, [TASKS, folderName(task), SKILLS], false, (skills) => removeAtOnce(skills, folderName(skill)))
      await removeEmptyTask(root, task)
    },
  }
}

/** Opens nested folders, and works in the innermost one. Returns undefined if one is missing and `make` is false. */
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
  } catch (error) {
    throw systemError(error)
  } finally {
    for (const folder of opened) folder.close()
  }
}

/** Copies a skill to a temporary folder, and renames that in one step. Returns the path of the copy. */
async function copySkill(
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
    removeAtOnce(skills, name)
    skills.move(staging, skills, name)
    return join(skills.path, name)
  } catch (error) {
    removeTree(skills, staging)
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
  const parts = path.split('/')
  const name = parts.pop()!
  const opened = [folder]
  try {
    for (const part of parts) opened.push(openIn(opened.at(-1)!, part, true)!)
    await writeNew(opened.at(-1)!, name, bytes, executable)
  } finally {
    for (const inner of opened.slice(1)) inner.close()
  }
}

/** Renames a folder before it is removed, so that nobody sees it half removed. */
function removeAtOnce(folder: TaskFolder, name: string): void {
  const removed = `${REMOVED_PREFIX}${crypto.randomUUID()}`
  try {
    folder.move(name, folder, removed)
  } catch (error) {
    if (isMissing(error)) return
    throw error
  }
  removeTree(folder, removed)
}

/** The prefix of a copy's name while it is removed. A crash may leave it behind. */
const REMOVED_PREFIX = '.skills-old-'

/** Removes the copies of a task, and its folder if nothing else is in it. */
function removeCopies(tasks: TaskFolder, name: string): void {
  const task = openIn(tasks, name, false)
  if (task === undefined) return
  try {
    const names = task.entries().map((entry) => entry.name)
    for (const entry of names.filter((each) => each.startsWith(REMOVED_PREFIX))) removeTree(task, entry)
    removeAtOnce(task, SKILLS)
  } finally {
    task.close()
    removeEmpty(tasks, name)
  }
}

/** Removes a task's folder if it is empty. */
async function removeEmptyTask(root: string, task: string): Promise<void> {
  const name = folderName(task)
  await within(root, [TASKS, name], false, (folder) => removeEmpty(folder, SKILLS))
  await within(root, [TASKS], false, (tasks) => removeEmpty(tasks, name))
}

/** Whether a folder was removed after its creation, for example because another session of the task has ended. */
function wasRemoved(error: unknown): boolean {
  return isMissing(hasCode(error, 'FOLDER_NOT_WRITABLE') ? error.cause : error)
}
