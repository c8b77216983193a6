import { anyText, checkOptions, listOf, type OptionTable } from '@repertoire/core/options'
import { SkillError } from '@repertoire/core'
import { nearestNames } from '@repertoire/core/stores'
import { lockedName } from '../lock/folder-name.ts'
import { requireSkillsLock } from '../lock/require-lock.ts'
import type { LockedSkill, SkillsLock } from '../lock/skills-lock.ts'
import { fetchLocked, type Wanted, relocateWith } from './fetch-locked.ts'
import { isEdited, readInstalled, type Installed } from './installed.ts'
import { planOf, type InstallPlan, type PlanStep, stepKept, stepTo } from './plan.ts'
import { openProject } from './leftovers.ts'
import { scanWith } from './scan.ts'
import { INSTALL_OPTIONS, type InstallOptions } from './restore.ts'

/** Options of `planUpdate`. */
export interface UpdateOptions extends Omit<InstallOptions, 'frozen' | 'force'> {
  /** The names of the skills to update. Default: all of the lock. */
  readonly skills?: readonly string[] | undefined
  /** Whether skills that were edited here are replaced. Default false: they are kept, and named with their files. */
  readonly force?: boolean | undefined
}

const OPTIONS: OptionTable<UpdateOptions> = updateOptions()

function updateOptions(): OptionTable<UpdateOptions> {
  const { frozen: _frozen, ...shared } = INSTALL_OPTIONS
  return { ...shared, skills: listOf(anyText, 'a list of skill names') }
}

/**
 * Fetches the newest content of the skills of a lock and plans to install it. Writes nothing. Of a repository with hundreds
 * of skills only those of the lock are fetched, and nothing where its revision is the one of the lock.
 * @throws {SkillError} LOCK_MISSING; SKILL_NOT_FOUND: the lock has no skill of that name. And what an origin and the lock refuse
 */
export async function planUpdate(options: UpdateOptions): Promise<InstallPlan> {
  checkOptions('planUpdate', OPTIONS, options)
  const { force = false } = options
  const project = await openProject(options)
  const { relocate = relocateWith(project.project, options.origin) } = options
  const lock = await requireSkillsLock(project.project)
  const wanted: Wanted[] = []
  const installed = new Map<string, Installed>()
  for (const [name, entry] of chosen(lock, options.skills)) {
    wanted.push({ name, entry })
    installed.set(name, await readInstalled(project.folder, name, entry))
  }
  const unchanged = new Set(
    wanted.filter(({ name }) => installed.get(name)!.found.state === 'unchanged').map(({ name }) => name),
  )
  const { contents, gone, diagnostics } = await fetchLocked(wanted, { ...options, relocate, exact: false, unchanged })
  const scan = scanWith(project.clients, options)
  const steps: PlanStep[] = []
  for (const { name, entry } of wanted) {
    const there = installed.get(name)!
    const context = { name, project, entry, installed: there }
    const content = contents.get(name)
    if (content === undefined) {
      steps.push(stepKept(name, context, gone.has(name) ? 'gone' : 'unchanged'))
      continue
    }
    const step = await stepTo(content, { ...context, scan })
    const isLost = step.skill.action === 'replace' && isEdited(there.found) && !force
    if (!isLost) {
      steps.push(step)
      continue
    }
    const kept = stepKept(name, context, 'edited')
    const { origin, newer } = step.skill
    steps.push({ ...kept, skill: { ...kept.skill, ...(newer && { origin, newer }) } })
  }
  return planOf('update', project, steps, diagnostics)
}

/** The entries of some names, or all. @throws {SkillError} SKILL_NOT_FOUND */
function chosen(
  { skills }: SkillsLock,
  names: readonly string[] = [...skills.keys()],
): ReadonlyMap<string, LockedSkill> {
  return new Map(
    names.map((given): [string, LockedSkill] => {
      const name = lockedName(skills.keys(), given)
      if (name === undefined) throw notLocked(given, [...skills.keys()])
      return [name, skills.get(name)!]
    }),
  )
}

/** The error for a name that a lock does not have. */
export function notLocked(name: string, names: readonly string[]): SkillError {
  const nearest = nearestNames(name, names)
  const meant = nearest.length === 0 ? 'See what it has with "verify".' : `Did you mean "${nearest.join('", "')}"?`
  return new SkillError('SKILL_NOT_FOUND', `The lock has no skill "${name}". ${meant}`, { nearest })
}
