import { anyText, checkOptions, listOf, type OptionTable } from '@repertoire/core/options'
import { SkillError } from '@repertoire/core'
import { nearestNames } from '@repertoire/core/stores'
import { isEdited } from '../lock/compare.ts'
import { lockedName } from '../lock/folder-name.ts'
import { readInstalled } from '../lock/installed.ts'
import { requireSkillsLock } from '../lock/lock-file.ts'
import type { LockedSkill, SkillsLock } from '../lock/skills-lock.ts'
import { fetchLocked, relocateWith } from './fetch-locked.ts'
import { openProject } from './leftovers.ts'
import { planOf, type InstallPlan, type PlanStep, type StepContext, stepOn, stepTo } from './plan.ts'
import { INSTALL_OPTIONS, type InstallOptions } from './restore.ts'
import { scanWith } from './scan.ts'

/** Options of `planUpdate`. */
export interface UpdateOptions extends Omit<InstallOptions, 'frozen' | 'force'> {
  /** The names of the skills to update. Default: all of the lock. */
  readonly skills?: readonly string[] | undefined
  /** Whether skills that were edited here are replaced. Default false: they are kept, and named with their files. */
  readonly force?: boolean | undefined
}

const { frozen: _frozen, ...SHARED } = INSTALL_OPTIONS

const OPTIONS: OptionTable<UpdateOptions> = { ...SHARED, skills: listOf(anyText, 'a list of skill names') }

/**
 * Fetches the newest content of the skills of a lock and plans to install it. Writes nothing. Of a repository with
 * hundreds of skills only those of the lock are fetched, and nothing where its revision is the one of the lock. A skill
 * whose origin fails is kept, as `unchecked`.
 * @throws {SkillError} LOCK_MISSING; SKILL_NOT_FOUND: the lock has no skill of that name. And what the lock refuses
 */
export async function planUpdate(options: UpdateOptions): Promise<InstallPlan> {
  checkOptions('planUpdate', OPTIONS, options)
  const { force = false } = options
  const project = await openProject(options)
  const { relocate = relocateWith(project.project, options.origin) } = options
  const lock = await requireSkillsLock(project.project)
  const wanted: (StepContext & { readonly entry: LockedSkill })[] = []
  for (const [name, entry] of chosen(lock, options.skills)) {
    wanted.push({ name, project, entry, installed: await readInstalled(project.folder, name, entry) })
  }
  const unchanged = new Set(
    wanted.filter(({ installed }) => installed.found.state === 'unchanged').map(({ name }) => name),
  )
  const fetched = await fetchLocked(wanted, { ...options, relocate, exact: false, unchanged })
  const scan = scanWith(project.clients, options)
  const steps: PlanStep[] = []
  for (const context of wanted) {
    const { name, installed } = context
    const content = fetched.contents.get(name)
    const failure = fetched.failures.get(name)
    if (failure?.code === 'SKILL_NOT_FOUND') steps.push(stepOn(context, 'keep', { because: 'gone' }))
    else if (failure !== undefined) {
      steps.push(stepOn(context, 'keep', { because: 'unchecked', problem: failure.message }))
    } else if (content === undefined) steps.push(stepOn(context, 'keep', { because: 'unchanged' }))
    else {
      const step = await stepTo(content, context, scan)
      const { action, origin, newer } = step.skill
      const isLost = action === 'replace' && isEdited(installed.found) && !force
      steps.push(isLost ? stepOn(context, 'keep', { because: 'edited', ...(newer && { origin, newer }) }) : step)
    }
  }
  return planOf('update', project, steps, fetched.diagnostics)
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
