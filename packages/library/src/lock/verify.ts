import { anyText, checkOptions, listOf, type OptionTable } from '@repertoire/core/options'
import { isSkillError } from '@repertoire/core'
import { linkProblems, type PlaceProblem } from '../install/places.ts'
import { findProject, PROJECT_OPTIONS, type ProjectOptions } from '../install/project.ts'
import { NO_DIFFERENCE, type VerifiedSkill } from './compare.ts'
import { folderNameOf, lockedName } from './folder-name.ts'
import { readInstalled, skillsIn } from './installed.ts'
import { readSkillsLock } from './lock-file.ts'
import type { LockedSkill } from './skills-lock.ts'

/** Options of `verifySkills`. */
export interface VerifyOptions extends ProjectOptions {
  /** The names of the skills to compare. Default: all of the lock and of the folder. */
  readonly skills?: readonly string[] | undefined
}

/** The result of `verifySkills`. */
export interface Verification {
  /** Whether every skill is unchanged, none is unknown, and every link is there. */
  readonly ok: boolean
  /** Those of the lock and those of the folder, by name. */
  readonly skills: readonly VerifiedSkill[]
  /** Names that were asked for, and that neither has. */
  readonly unknown: readonly string[]
  /** Links for other clients that are not as the lock has them. */
  readonly places: readonly PlaceProblem[]
}

/** The options of what compares a project with its lock. */
const OPTIONS: OptionTable<VerifyOptions> = {
  ...PROJECT_OPTIONS,
  skills: listOf(anyText, 'a list of skill names'),
}

/**
 * Compares the skills of a project with its lock. It only reads, and asks no network.
 * @throws {SkillError} LOCK_INVALID; RESOURCE_NOT_FOUND: no such project; RESOURCE_REFUSED: a file or link instead
 * @throws {TypeError} an option is unknown or has the wrong type
 */
export async function verifySkills(options: VerifyOptions): Promise<Verification> {
  checkOptions('verifySkills', OPTIONS, options)
  const project = await findProject(options)
  const { folder } = project
  const { skills: entries } = await readSkillsLock(project.project)
  const locked = new Set([...entries.keys()].map(folderNameOf))
  const all = new Set([...entries.keys(), ...skillsIn(folder).filter((name) => !locked.has(name))])
  const asked = options.skills?.map((given) => ({ given, name: lockedName(all, given) }))
  const names = asked === undefined ? all : new Set(asked.flatMap(({ name }) => (name === undefined ? [] : [name])))
  const unknown = (asked ?? []).filter(({ name }) => name === undefined).map(({ given }) => given)
  const skills: VerifiedSkill[] = []
  for (const name of [...names].toSorted()) skills.push(await verifySkill(folder, name, entries.get(name)))
  const linked = [...entries].filter(([name]) => names.has(name))
  const places = linkProblems(
    project,
    linked.map(([name, { repertoire }]) => ({ name, also: repertoire?.also ?? [] })),
  )
  const ok = unknown.length + places.length === 0 && skills.every(({ state }) => state === 'unchanged')
  return { ok, skills, unknown, places }
}

/** Compares one skill with its entry. What the lock does not have is not read. */
async function verifySkill(folder: string, name: string, entry: LockedSkill | undefined): Promise<VerifiedSkill> {
  if (entry === undefined) return { name, state: 'unlocked', ...NO_DIFFERENCE }
  try {
    return (await readInstalled(folder, name, entry)).found
  } catch (error) {
    if (!isSkillError(error)) throw error
    return { name, state: 'unreadable', ...NO_DIFFERENCE, reason: error.message }
  }
}
