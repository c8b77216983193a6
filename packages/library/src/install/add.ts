import {
  anyText,
  callable,
  checkOptions,
  flag,
  listOf,
  required,
  signal,
  tableOf,
  type OptionTable,
  withDefault,
  withMethods,
} from '@repertoire/core/options'
import { join } from 'node:path'
import { SkillError, type Diagnostic } from '@repertoire/core'
import { isEdited, namedFiles } from '../lock/compare.ts'
import { folderNameOf, lockedName } from '../lock/folder-name.ts'
import { readInstalled, type Installed } from '../lock/installed.ts'
import { readSkillsLock } from '../lock/lock-file.ts'
import { isClientFolder, type LockedSkill } from '../lock/skills-lock.ts'
import type { FetchOptions, Origin } from '../origins/origin.ts'
import { isSameOrigin, readContent, type FetchedContent } from './content.ts'
import { fetchOptions } from './fetch-locked.ts'
import { openProject } from './leftovers.ts'
import { planOf, type InstallPlan, type PlanStep, stepTo } from './plan.ts'
import { PROJECT_OPTIONS, refuseLinks, type Project, type ProjectOptions } from './project.ts'
import { SCAN_OPTIONS, scanWith, type WithScan } from './scan.ts'

/** Options of `planAdd`. */
export interface AddOptions extends ProjectOptions, FetchOptions, WithScan {
  /** As `resolveOrigin` returns them. */
  readonly origins: readonly Origin[]
  /**
   * Folders of other clients that get links to the skills, relative to the project: `['.claude/skills']`. Default:
   * none; those that the lock has of a skill stay.
   */
  readonly also?: readonly string[] | undefined
  /** Whether a skill of another origin, or one that was edited, is replaced. Default false: the plan is refused. */
  readonly force?: boolean | undefined
}

export const ADD_OPTIONS: OptionTable<AddOptions> = {
  ...PROJECT_OPTIONS,
  origins: required(listOf(withMethods('an origin, as from `await resolveOrigin()`', 'fetch'))),
  skills: listOf(anyText, 'a list of skill names'),
  also: listOf(anyText, "a list of folders, such as ['.claude/skills']"),
  force: withDefault(false, flag),
  scan: tableOf(SCAN_OPTIONS),
  signal,
  onProgress: callable,
}

/**
 * Fetches skills, judges them, and plans their installation. Writes nothing.
 * @throws {SkillError} STORE_CONFLICT: a skill of that name is of another origin, was edited, or is brought twice, each
 * by its name; and what an origin, the lock and a store refuse
 * @throws {TypeError} an option is unknown or has the wrong type
 */
export async function planAdd(options: AddOptions): Promise<InstallPlan> {
  checkOptions('planAdd', ADD_OPTIONS, options)
  const { origins, also = [], force = false } = options
  const project = await openProject(options)
  for (const place of also) checkPlace(place, project)
  const { skills: entries } = await readSkillsLock(project.project)
  const scan = scanWith(project.clients, options)
  const contents = new Map<string, FetchedContent>()
  const diagnostics: Diagnostic[] = []
  const conflicts: string[] = []
  for (const origin of origins) {
    const fetched = await origin.fetch(fetchOptions(options))
    diagnostics.push(...fetched.diagnostics)
    for (const skill of fetched.skills) {
      const other = contents.get(skill.name)
      if (other !== undefined) throw twice(skill.name, other.origin.source, fetched.origin.source)
      contents.set(skill.name, await readContent(skill, fetched.origin))
    }
  }
  const steps: PlanStep[] = []
  for (const [stored, content] of contents) {
    // A lock of another command may have it as its SKILL.md writes it.
    const name = lockedName(entries.keys(), stored) ?? stored
    const twin = steps.find(({ skill }) => folderNameOf(skill.name) === folderNameOf(name))
    if (twin !== undefined) throw twice(stored, content.origin.source, twin.skill.origin!.source)
    const entry = entries.get(name)
    const installed = await readInstalled(project.folder, name, entry)
    const step = await stepTo(content, { name, project, entry, installed }, scan, also)
    const conflict = force ? undefined : conflictOf(content, entry, installed, step, project)
    if (conflict !== undefined) conflicts.push(`"${name}" ${conflict}`)
    steps.push(step)
  }
  if (conflicts.length > 0) {
    const message = `Nothing was written. ${conflicts.map((each) => `${each}.`).join(' ')} Move it away, or replace it with --force (in code: \`force\`).`
    throw new SkillError('STORE_CONFLICT', message)
  }
  return planOf('add', project, steps, diagnostics)
}

/** The error for two skills that would be in one folder. */
function twice(name: string, one: string, other: string): SkillError {
  const message = `Nothing was written. "${name}" is in ${one} and in ${other}. Add each place by itself, and choose its skills with --skill (in code: \`skills\`).`
  return new SkillError('STORE_CONFLICT', message)
}

function conflictOf(
  { origin }: FetchedContent,
  entry: LockedSkill | undefined,
  { found, state }: Installed,
  { skill }: PlanStep,
  { project }: Project,
): string | undefined {
  if (entry !== undefined && !isSameOrigin(entry, origin, project)) {
    return `is installed from ${entry.source}, and this one is from ${origin.source}`
  }
  // What is the same already loses nothing.
  if (state === undefined || skill.action !== 'replace' || !isEdited(found)) return undefined
  if (found.state === 'unlocked') return 'is there, and not in the lock: it may be your own, or of another command'
  const files = namedFiles(found)
  return files === '' ? 'was edited here' : `was edited here (${files})`
}

/** @throws {TypeError} it is no folder of another client. @throws {SkillError} RESOURCE_REFUSED */
function checkPlace(place: string, { clients, folder }: Project): void {
  if (!isClientFolder(place) || join(clients, place) === folder) {
    const message = `planAdd: "${place}" is not a folder of another client for skills. Such a folder lies in the project, and is called "skills": .claude/skills.`
    throw new TypeError(message)
  }
  refuseLinks(clients, join(clients, place))
}
