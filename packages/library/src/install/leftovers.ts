import { checkOptions } from '@repertoire/core/options'
import { existsSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { showName, SkillError } from '@repertoire/core'
import {
  isMoving,
  leftoverName,
  OpenError,
  openFolder,
  STATE_FOLDER,
  type FolderLeftover,
  type SafeFolder,
} from '@repertoire/core/node'
import { isFileLocked } from '../file-lock.ts'
import { isLockHeld, readSkillsLock, withHeldLock } from '../lock/lock-file.ts'
import { LOCK, writeStore } from '../store/write-store.ts'
import { findProject, PROJECT_OPTIONS, refuseOtherFolder, type Project, type ProjectOptions } from './project.ts'

/**
 * Something that is in a project only while it is written, and that no running program uses. `old`: the content of a
 * skill before a change. `new`: what it was to be, perhaps half of it. `gone`: content that was being removed. `lock`:
 * a part of the lock file that was never used. `other`: what is in the place of `.repertoire`, and is no folder.
 */
export interface Leftover {
  /** From the project's folder, or with `user` the home folder, with `/`. */
  readonly path: string
  readonly kind: FolderLeftover['kind'] | 'lock' | 'other'
  /** The name of the skill's folder. */
  readonly skill?: string
  /** Whether the skill's folder is missing, so that this is its only copy: `recoverProject` puts it back. */
  readonly isOnlyCopy: boolean
}

/**
 * Finds what killed programs have left in a project, and what looks like it. Reads, and changes nothing. What a running
 * program uses is not reported.
 * @throws {SkillError} as `locateProject`
 */
export async function findLeftovers(options: ProjectOptions): Promise<readonly Leftover[]> {
  checkOptions('findLeftovers', PROJECT_OPTIONS, options)
  return leftoversOf(await findProject(options))
}

/** Looks before and after a moment without any lock: what a running program uses is there only while it holds one. */
async function leftoversOf(project: Project): Promise<readonly Leftover[]> {
  const list = (): readonly Leftover[] => [
    ...foldersLeft(project),
    ...lockParts(project).map((name) => lockLeftover(project, name)),
  ]
  const before = new Set(list().map(({ path }) => path))
  if (before.size === 0 || (await isFileLocked(join(project.folder, STATE_FOLDER, LOCK)))) return []
  if (await isLockHeld(project.project)) return []
  return list().filter(({ path }) => before.has(path))
}

/**
 * Opens a project for a plan. Writes nothing.
 * @throws {SkillError} FOLDER_NOT_WRITABLE: an earlier change is unfinished; the message names the command that ends
 * it. STORE_CONFLICT: the lock has its skills in another folder
 */
export async function openProject(options: ProjectOptions): Promise<Project> {
  const project = await findProject(options)
  refuseOtherFolder(await readSkillsLock(project.project), project)
  const [first, ...others] = await leftoversOf(project)
  if (first === undefined) return project
  const more = others.length === 0 ? '' : `, and ${others.length} more`
  const only = first.isOnlyCopy ? `, the only copy of ${showName(first.skill ?? '')}` : ''
  const message = `Nothing was written: an earlier change is unfinished, and ${showName(first.path)} is left of it${only}${more}. "repertoire recover" shows what is left, and finishes or undoes the change.`
  throw new SkillError('FOLDER_NOT_WRITABLE', message, { path: join(project.clients, first.path) })
}

/**
 * Ends what killed programs have left in a project, whoever they were: a skill whose folder is missing gets its former
 * content back, and everything else that `findLeftovers` reports is removed. Skills in their folders stay as they are.
 * @returns what was put back or removed
 * @throws {SkillError} FOLDER_NOT_WRITABLE, TIMED_OUT, RESOURCE_REFUSED
 */
export async function recoverProject(options: ProjectOptions): Promise<readonly Leftover[]> {
  checkOptions('recoverProject', PROJECT_OPTIONS, options)
  const project = await findProject(options)
  const { timeout } = project
  const ended: Leftover[] = []
  const found = foldersLeft(project)
  const odd = found.find(({ kind }) => kind === 'other')
  if (odd !== undefined) {
    const message = `${showName(odd.path)} is not a folder that this program has made. Look at it, and move it away.`
    throw new SkillError('RESOURCE_REFUSED', message, { path: join(project.clients, odd.path) })
  }
  if (found.length > 0) {
    await writeStore(project.folder, timeout, [], (folder) => {
      for (const leftover of folder.leftovers()) {
        ended.push(toLeftover(project, folder, leftover))
        folder.settle(leftover)
      }
    })
  }
  if (lockParts(project).length === 0) return ended
  await withHeldLock(project.project, { timeout }, () => {
    for (const name of lockParts(project)) {
      rmSync(join(project.project, name), { force: true })
      ended.push(lockLeftover(project, name))
    }
  })
  return ended
}

function foldersLeft(project: Project): readonly Leftover[] {
  if (!existsSync(project.folder)) return []
  let folder: SafeFolder | undefined
  try {
    const opened = (folder = openFolder(realpathSync.native(project.folder)))
    return opened.leftovers().map((leftover) => toLeftover(project, opened, leftover))
  } catch (error) {
    if (!(error instanceof OpenError)) throw error
    return [{ path: pathFrom(project, join(project.folder, STATE_FOLDER)), kind: 'other', isOnlyCopy: false }]
  } finally {
    folder?.close()
  }
}

function toLeftover(project: Project, { path }: SafeFolder, leftover: FolderLeftover): Leftover {
  return {
    path: pathFrom(project, join(project.folder, STATE_FOLDER, leftoverName(leftover))),
    kind: leftover.kind,
    skill: leftover.name,
    isOnlyCopy: leftover.kind === 'old' && isMoving(path, leftover.name),
  }
}

/** Parts of the lock file that were never used. */
function lockParts({ project }: Project): readonly string[] {
  try {
    return readdirSync(project).filter((name) => /^\.repertoire-[\da-f-]{36}$/.test(name))
  } catch {
    return []
  }
}

function lockLeftover(project: Project, name: string): Leftover {
  return { path: pathFrom(project, join(project.project, name)), kind: 'lock', isOnlyCopy: false }
}

function pathFrom({ clients }: Project, path: string): string {
  return relative(clients, path).split(sep).join('/')
}
