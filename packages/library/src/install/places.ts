import { lstatSync, mkdirSync, readlinkSync, realpathSync, symlinkSync, unlinkSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { platform } from 'node:process'
import { isSkillError } from '@repertoire/core'
import { openSkillFolder } from '@repertoire/core/node'
import { addFolder, removeFolder, replaceFolder } from '../durable/swap.ts'
import type { WritingSystem } from '../durable/system.ts'
import { stateOf } from '../lock/pin.ts'
import { folderNameOf } from '../lock/folder-name.ts'
import { readSkillsLock } from '../lock/lock-file.ts'
import type { LockedSkill } from '../lock/skills-lock.ts'
import { writeStore } from '../store/write-store.ts'
import { ignoreState } from './ignore-state.ts'
import { differences } from './installed.ts'
import { filesIn } from './pack.ts'
import type { PlanStep } from './plan.ts'
import { resolveProject } from './project.ts'
import type { Project, ProjectOptions } from './project.ts'
import { alsoOf } from './step.ts'

/** A link or a copy for another client that is not what it should be. Nothing of somebody else is overwritten. */
export interface PlaceProblem {
  readonly skill: string
  /** Relative to the project: `.claude/skills`. */
  readonly folder: string
  readonly kind: 'link' | 'copy'
  /** As a sentence, with what to do. */
  readonly reason: string
}

/** Compares the links and copies that a project's lock names with what is there. Reads, and changes nothing. */
export async function checkPlaces(options: ProjectOptions): Promise<readonly PlaceProblem[]> {
  const project = resolveProject(options)
  const { skills } = await readSkillsLock(project.project)
  const problems: PlaceProblem[] = []
  for (const [name, entry] of skills) {
    for (const [folder, kind] of Object.entries(alsoOf(entry))) {
      const reason = await problemOf(project, name, folder, kind, entry)
      if (reason !== undefined) problems.push({ skill: name, folder, kind, reason })
    }
  }
  return problems
}

async function problemOf(
  project: Project,
  name: string,
  folder: string,
  kind: 'link' | 'copy',
  entry: LockedSkill | undefined,
): Promise<string | undefined> {
  const path = join(project.project, folder, folderNameOf(name))
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return `${folder}/${name} is not there. Run "install" to make it again.`
  if (kind === 'link') return isOurLink(path, project, name) ? undefined : taken(folder, name)
  if (stats.isSymbolicLink() || !stats.isDirectory()) return taken(folder, name)
  const changed = await copyDiffers(path, entry)
  return changed.length === 0
    ? undefined
    : `${folder}/${name} differs from the lock in ${changed.slice(0, 5).join(', ')}. Move the change into ${relative(project.project, project.folder)}, or remove the copy.`
}

/** Makes, changes and removes the links and copies of the skills of a plan. What cannot be made is said, and nothing is lost. */
export async function updatePlaces(
  project: Project,
  steps: readonly PlanStep[],
  system: WritingSystem,
): Promise<readonly PlaceProblem[]> {
  const problems: PlaceProblem[] = []
  for (const step of steps) {
    const { name, action } = step.skill
    const before = alsoOf(step.entryBefore)
    const after = action === 'remove' ? {} : alsoOf(step.entry)
    for (const [folder, kind] of Object.entries({ ...before, ...after })) {
      // A lock can name the very folder that the skills are in.
      if (join(project.project, folder) === project.folder) continue
      let reason: string | undefined
      try {
        reason =
          folder in after
            ? await make(project, step, folder, kind, system)
            : await drop(project, step, folder, kind, system)
      } catch (error) {
        if (!isSkillError(error) && !(error instanceof Error && 'code' in error)) throw error
        reason = error.message
      }
      if (reason !== undefined) problems.push({ skill: name, folder, kind, reason })
    }
  }
  return problems
}

async function make(
  project: Project,
  { skill, entryBefore, entry, files }: PlanStep,
  folder: string,
  kind: 'link' | 'copy',
  system: WritingSystem,
): Promise<string | undefined> {
  const parent = join(project.project, folder)
  const path = join(parent, folderNameOf(skill.name))
  makeInside(project.project, folder)
  const stats = lstatSync(path, { throwIfNoEntry: false })
  const target = join(project.folder, folderNameOf(skill.name))
  if (kind === 'link') {
    if (isOurLink(path, project, skill.name)) return undefined
    if (stats !== undefined) return taken(folder, skill.name)
    // A junction needs no rights on Windows, and an absolute path.
    symlinkSync(
      platform === 'win32' ? target : relative(realpathSync.native(parent), realpathSync.native(target)),
      path,
      'junction',
    )
    return undefined
  }
  if (stats?.isDirectory() === false) return taken(folder, skill.name)
  const isThere = stats !== undefined
  if (isThere && (await copyDiffers(path, entry)).length === 0) return undefined
  if (isThere && (await copyDiffers(path, entryBefore)).length > 0) {
    return `${folder}/${skill.name} was changed by hand, and stays as it is. Remove it to get a new copy.`
  }
  const content = files ?? (await filesIn(openSkillFolder(target)))
  await writeStore({ root: parent, timeout: project.timeout, system }, skill.name, (folders) => {
    ignoreState(folders)
    if (isThere) replaceFolder(folders, folderNameOf(skill.name), content)
    else addFolder(folders, folderNameOf(skill.name), content)
  })
  return undefined
}

async function drop(
  project: Project,
  { skill, entryBefore }: PlanStep,
  folder: string,
  kind: 'link' | 'copy',
  system: WritingSystem,
): Promise<string | undefined> {
  const parent = join(project.project, folder)
  const path = join(parent, folderNameOf(skill.name))
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return undefined
  if (kind === 'link') {
    if (!isOurLink(path, project, skill.name)) return taken(folder, skill.name)
    unlinkSync(path)
    return undefined
  }
  if (!stats.isDirectory() || (await copyDiffers(path, entryBefore)).length > 0) {
    return `${folder}/${skill.name} was changed by hand, and stays. Remove it yourself if you do not need it.`
  }
  await writeStore({ root: parent, timeout: project.timeout, system }, skill.name, (folders) =>
    removeFolder(folders, folderNameOf(skill.name)),
  )
  return undefined
}

/** @throws {Error} the folder leads out of the project */
function makeInside(project: string, folder: string): void {
  const root = realpathSync.native(project)
  let path = root
  for (const part of folder.split('/')) {
    path = join(path, part)
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) mkdirSync(path)
    path = realpathSync.native(path)
    if (path !== root && !path.startsWith(`${root}${sep}`)) {
      throw Object.assign(new Error(`${folder} leads out of the project by a link. Put a folder there.`), {
        code: 'ELOOP',
      })
    }
  }
}

function isOurLink(path: string, project: Project, name: string): boolean {
  try {
    const target = resolve(realpathSync.native(dirname(path)), readlinkSync(path))
    return target === join(realpathSync.native(project.folder), folderNameOf(name))
  } catch {
    return false
  }
}

async function copyDiffers(path: string, entry: LockedSkill | undefined): Promise<readonly string[]> {
  return differences(entry?.repertoire?.files ?? {}, await stateOf(openSkillFolder(path)))
}

function taken(folder: string, name: string): string {
  return `${folder}/${name} is something else, and stays as it is. Move it away, and run "install".`
}
