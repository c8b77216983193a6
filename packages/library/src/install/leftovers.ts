import { checkOptions } from '@repertoire/core/options'
import { realpathSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { isSkillError } from '@repertoire/core'
import { OpenError, openPinnedFolder } from '@repertoire/core/node'
import { isFileLocked } from '../durable/file-lock.ts'
import { forgetChange, notedChange, readJournal, writeJournal, type Journal } from '../durable/journal.ts'
import { isLeftover, isOwnLeftover, isStaged, removeTree, STATE_FOLDER } from '../durable/staging.ts'
import { recover, type StoreFolders } from '../durable/swap.ts'
import { writingSystem } from '../durable/system.ts'
import { readSkillsLock } from '../lock/lock-file.ts'
import { clearLockLeftovers, lockLeftovers, recoverSkillsLock } from '../lock/lock-leftovers.ts'
import { holdStore, LOCK, recoverStore } from '../store/write-store.ts'
import { systemCodeOf } from '../system-code.ts'
import { findProject, linkOnTheWay, PROJECT_OPTIONS, type Project, type ProjectOptions } from './project.ts'
import { alsoOf } from './plan.ts'

/**
 * Something that is in a project only while it is written, and that no running program uses. `change`: an unfinished change
 * of skills. `staged`: new content that was never used. `former`: content that was replaced or removed, perhaps the only
 * copy of it. `lock`: a part of the lock file that was never used.
 */
export interface Leftover {
  /** From the project's folder, or with `user` the home folder, with `/`. */
  readonly path: string
  readonly kind: 'change' | 'staged' | 'former' | 'lock'
  /**
   * Whether programs of this user on this machine have left it: then the next write finishes it. Everything else came with
   * the project, or is another user's; it is never used.
   */
  readonly own: boolean
  /** Which skill it is of, as far as the change says so. */
  readonly skill?: string
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

/** As `findLeftovers`, of a project that was found. */
export async function leftoversOf(project: Project): Promise<readonly Leftover[]> {
  const found: Leftover[] = []
  for (const root of await rootsOf(project)) {
    if (!(await isFileLocked(join(root, STATE_FOLDER, LOCK)))) found.push(...leftoversIn(project, root))
  }
  return [...found, ...(await lockLeftovers(project.project)).map((leftover) => lockLeftover(project, leftover))]
}

/**
 * Finishes what this user's programs have left in a project, and removes everything else that `findLeftovers` reports. Skills
 * in their folders stay as they are.
 * @returns what was removed
 * @throws {SkillError} FOLDER_NOT_WRITABLE, TIMED_OUT, RESOURCE_REFUSED
 */
export async function clearLeftovers(options: ProjectOptions): Promise<readonly Leftover[]> {
  checkOptions('clearLeftovers', PROJECT_OPTIONS, options)
  const project = await findProject(options)
  const { timeout } = project
  const removed: Leftover[] = []
  for (const root of await rootsOf(project)) {
    if (leftoversIn(project, root).length === 0) continue
    await holdStore({ root, timeout, system: writingSystem }, [], (folders) => {
      recoverUnlessChanged(folders)
      removed.push(...leftoversIn(project, root))
      clear(folders)
    })
  }
  if ((await lockLeftovers(project.project)).length === 0) return removed
  const parts = await clearLockLeftovers(project.project, { timeout })
  return [...removed, ...parts.map((leftover) => lockLeftover(project, leftover))]
}

/**
 * Finishes what this user's programs have left in a project. What came with it stays.
 * @throws {SkillError} STORE_CONFLICT: a skill was changed since; FOLDER_NOT_WRITABLE, TIMED_OUT, RESOURCE_REFUSED
 */
export async function recoverProject(options: ProjectOptions): Promise<void> {
  checkOptions('recoverProject', PROJECT_OPTIONS, options)
  await recoverFound(await findProject(options))
}

/** As `recoverProject`, of a project that was found. */
export async function recoverFound(project: Project): Promise<void> {
  await recoverSkillsLock(project.project)
  for (const root of await rootsOf(project)) {
    await recoverStore({ root, timeout: project.timeout, system: writingSystem })
  }
}

/** The folders that are written to: that of the skills, and those with copies. */
async function rootsOf(project: Project): Promise<readonly string[]> {
  const { skills } = await readSkillsLock(project.project)
  const copies = [...skills.values()].flatMap((entry) =>
    Object.entries(alsoOf(entry)).flatMap(([folder, kind]) => (kind === 'copy' ? [join(project.clients, folder)] : [])),
  )
  const roots = [project.folder, ...new Set(copies)]
  // What is behind a link is not the project's: `checkPlaces` says so.
  return roots.filter((root) => root === project.folder || linkOnTheWay(project.clients, root) === undefined)
}

function leftoversIn(project: Project, given: string): readonly Leftover[] {
  let root: string
  try {
    root = realpathSync.native(given)
  } catch {
    return []
  }
  const own = join(given, STATE_FOLDER)
  const change = (isOwn: boolean): Leftover => ({ path: pathFrom(project, own), kind: 'change', own: isOwn })
  try {
    const state = openPinnedFolder(join(root, STATE_FOLDER))
    try {
      const noted = notedChange(root)
      const { pending } = noted ?? readableJournal(state) ?? {}
      const entries = state.entries().filter(({ name }) => isLeftover(name))
      const isUnreadable = readableJournal(state) === undefined
      return [
        ...(pending !== undefined || isUnreadable ? [change(noted !== undefined)] : []),
        ...entries.map(({ name }): Leftover => {
          const swap = pending?.find(({ staged, former }) => staged === name || former === name)
          return {
            path: pathFrom(project, join(own, name)),
            kind: isStaged(name) ? 'staged' : 'former',
            own: isOwnLeftover(root, name),
            skill: swap?.skill,
          }
        }),
      ]
    } finally {
      state.close()
    }
  } catch (error) {
    if (!(error instanceof OpenError)) throw error
    // A link or a file was not created by this package.
    return error.kind === 'missing' && systemCodeOf(error.cause) === 'ENOENT' ? [] : [change(false)]
  }
}

/** Undefined: it is not one. */
function readableJournal(state: StoreFolders['state']): Journal | undefined {
  try {
    return readJournal(state)
  } catch (error) {
    if (isSkillError(error)) return undefined
    throw error
  }
}

/** A skill that was changed since keeps its folder as it is. */
function recoverUnlessChanged(folders: StoreFolders): void {
  try {
    recover(folders)
  } catch (error) {
    if (!isSkillError(error)) throw error
  }
}

function clear({ system, path, state }: StoreFolders): void {
  // Greater than before, so that readers look again.
  const sequence = (readableJournal(state)?.sequence ?? Date.now()) + 1
  writeJournal(system, path, state, { sequence })
  forgetChange(system, path)
  for (const { name } of state.entries()) if (isLeftover(name)) removeTree(system, path, state, name)
}

function lockLeftover(project: Project, { name, own }: { readonly name: string; readonly own: boolean }): Leftover {
  return { path: pathFrom(project, join(project.project, name)), kind: 'lock', own }
}

function pathFrom({ clients }: Project, path: string): string {
  return relative(clients, path).split(sep).join('/')
}
