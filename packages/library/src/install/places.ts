import { anyText, checkOptions, listOf, type OptionTable } from '@repertoire/core/options'
import { lstatSync, mkdirSync, readlinkSync, realpathSync, symlinkSync, unlinkSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { platform } from 'node:process'
import { isSkillError } from '@repertoire/core'
import { skillFolder } from '@repertoire/core/node'
import { stateOnDisk } from '../lock/pin.ts'
import { folderNameOf, lockedName } from '../lock/folder-name.ts'
import { readSkillsLock } from '../lock/lock-file.ts'
import type { LockedSkill, SkillPin } from '../lock/skills-lock.ts'
import { ignoreState, writeStore } from '../store/write-store.ts'
import { differences } from './installed.ts'
import { filesIn } from './pack.ts'
import { type PlanStep, alsoOf, type PlaceProblem } from './plan.ts'
import { fileOnTheWay, findProject, PROJECT_OPTIONS, type Project, type ProjectOptions } from './project.ts'

/** Options of `checkPlaces`. */
export interface CheckPlacesOptions extends ProjectOptions {
  /** The names of the skills. Default: all of the lock. */
  readonly skills?: readonly string[] | undefined
}

const OPTIONS: OptionTable<CheckPlacesOptions> = {
  ...PROJECT_OPTIONS,
  skills: listOf(anyText, 'a list of skill names'),
}

/** Compares the links and copies that a project's lock names with what is there. Reads, and changes nothing. */
export async function checkPlaces(options: CheckPlacesOptions): Promise<readonly PlaceProblem[]> {
  checkOptions('checkPlaces', OPTIONS, options)
  const project = await findProject(options)
  const { skills } = await readSkillsLock(project.project)
  const meant = new Set((options.skills ?? [...skills.keys()]).map((name) => lockedName(skills.keys(), name)))
  const problems: PlaceProblem[] = []
  for (const [name, entry] of skills) {
    if (!meant.has(name)) continue
    for (const [folder, kind] of placesOf(project, entry)) {
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
  const path = join(project.clients, folder, folderNameOf(name))
  const linked = linkedProblem(project, folder)
  if (linked !== undefined) return linked
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return `${folder}/${name} is not there. Run "install" to make it again.`
  if (kind === 'link') return isOurLink(path, project, name) ? undefined : taken(folder, name)
  if (stats.isSymbolicLink() || !stats.isDirectory()) return taken(folder, name)
  const state = await stateOnDisk(path)
  const changed = differences(filesOf(entry), state)
  if (changed.length === 0) return undefined
  return `${folder}/${name} differs from the lock in ${changed.slice(0, 5).join(', ')}. Move the change into ${relative(project.clients, project.folder)}, or remove the copy.`
}

/** Compares those of skills of a plan that stay as they are. What is found is made again when the plan is carried out. */
export async function duePlaces(project: Project, steps: readonly PlanStep[]): Promise<readonly PlaceProblem[]> {
  const problems: PlaceProblem[] = []
  for (const { skill, entry } of steps) {
    if (skill.action !== 'keep') continue
    for (const [folder, kind] of placesOf(project, entry)) {
      const reason = await problemOf(project, skill.name, folder, kind, entry)
      if (reason !== undefined) problems.push({ skill: skill.name, folder, kind, reason })
    }
  }
  return problems
}

/** Makes and renews the links and copies of the skills of a plan. What cannot be made is said, and nothing is lost. */
export async function makePlaces(project: Project, steps: readonly PlanStep[]): Promise<readonly PlaceProblem[]> {
  return eachPlace(
    project,
    steps.filter(({ skill }) => skill.action !== 'remove'),
    ({ entry }) => entry,
    (step, folder, kind) => make(project, step, folder, kind),
  )
}

/**
 * Removes the links and copies of the skills that a plan removes. It is done before they go: whatever ends it then, the lock
 * still has them, and they can be made again.
 */
export async function dropPlaces(project: Project, steps: readonly PlanStep[]): Promise<readonly PlaceProblem[]> {
  return eachPlace(
    project,
    steps.filter(({ skill }) => skill.action === 'remove'),
    ({ entryBefore }) => entryBefore,
    (step, folder, kind) => drop(project, step, folder, kind),
  )
}

async function eachPlace(
  project: Project,
  steps: readonly PlanStep[],
  entryOf: (step: PlanStep) => LockedSkill | undefined,
  work: (step: PlanStep, folder: string, kind: 'link' | 'copy') => Promise<string | undefined>,
): Promise<readonly PlaceProblem[]> {
  const problems: PlaceProblem[] = []
  for (const step of steps) {
    for (const [folder, kind] of placesOf(project, entryOf(step))) {
      let reason: string | undefined
      try {
        reason = await work(step, folder, kind)
      } catch (error) {
        if (!isSkillError(error) && !hasCode(error)) throw error
        reason = String((error as Partial<Error>).message)
      }
      if (reason !== undefined) problems.push({ skill: step.skill.name, folder, kind, reason })
    }
  }
  return problems
}

/** A lock can name the very folder that the skills are in. */
function placesOf(
  { clients, folder: own }: Project,
  entry: LockedSkill | undefined,
): readonly (readonly [string, 'link' | 'copy'])[] {
  return Object.entries(alsoOf(entry)).filter(([folder]) => join(clients, folder) !== own)
}

async function make(
  project: Project,
  { skill, entryBefore, entry, files }: PlanStep,
  folder: string,
  kind: 'link' | 'copy',
): Promise<string | undefined> {
  const parent = join(project.clients, folder)
  const path = join(parent, folderNameOf(skill.name))
  const linked = linkedProblem(project, folder)
  if (linked !== undefined) return linked
  makeFolders(project.clients, folder)
  const stats = lstatSync(path, { throwIfNoEntry: false })
  const target = join(project.folder, folderNameOf(skill.name))
  if (kind === 'link') {
    if (isOurLink(path, project, skill.name)) return undefined
    if (stats !== undefined) return taken(folder, skill.name)
    // A junction of Windows needs an absolute path.
    const way = platform === 'win32' ? target : relative(realpathSync.native(parent), realpathSync.native(target))
    // A junction needs no rights on Windows; elsewhere the word means nothing.
    symlinkSync(way, path, 'junction')
    return undefined
  }
  if (stats?.isDirectory() === false) return taken(folder, skill.name)
  if (stats !== undefined) {
    const state = await stateOnDisk(path)
    if (differences(filesOf(entry), state).length === 0) return undefined
    if (differences(filesOf(entryBefore), state).length > 0)
      return `${folder}/${skill.name} was changed by hand, and stays as it is. Remove it to get a new copy.`
  }
  const content = files ?? (await filesIn(skillFolder(target)))
  await writeStore(parent, project.timeout, [skill.name], (store) => {
    ignoreState(store)
    store.replace(folderNameOf(skill.name), content)
  })
  return undefined
}

async function drop(
  project: Project,
  { skill, entryBefore }: PlanStep,
  folder: string,
  kind: 'link' | 'copy',
): Promise<string | undefined> {
  const parent = join(project.clients, folder)
  const path = join(parent, folderNameOf(skill.name))
  const linked = linkedProblem(project, folder)
  if (linked !== undefined) return linked
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
  await writeStore(parent, project.timeout, [skill.name], (store) => store.remove(folderNameOf(skill.name)))
  return undefined
}

/** What lies behind a link is not the project's, and nothing lies below a file. */
function linkedProblem({ clients }: Project, folder: string): string | undefined {
  const path = fileOnTheWay(clients, join(clients, folder))
  if (path === undefined) return undefined
  const is = lstatSync(path).isSymbolicLink() ? 'a link, and is not followed' : 'not a folder'
  return `${relative(clients, path).split(sep).join('/')} is ${is}. Put a folder there.`
}

function makeFolders(project: string, folder: string): void {
  let path = realpathSync.native(project)
  for (const part of folder.split('/')) {
    path = join(path, part)
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) mkdirSync(path)
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
  return differences(filesOf(entry), await stateOnDisk(path))
}

function filesOf(entry: LockedSkill | undefined): SkillPin['files'] {
  return entry?.repertoire?.files ?? {}
}

function taken(folder: string, name: string): string {
  return `${folder}/${name} is something else, and stays as it is. Move it away, and run "install".`
}

/** Read by its shape: where a test runner gives each file a realm of its own, it is no instance of `Error` here. */
function hasCode(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error
}
