import { anyText, checkOptions, flag, listOf, required, type OptionTable, withDefault } from '@repertoire/core/options'
import { SkillError } from '@repertoire/core'
import { isEdited, namedFiles } from '../lock/compare.ts'
import { lockedName } from '../lock/folder-name.ts'
import { readInstalled } from '../lock/installed.ts'
import { readSkillsLock, requireSkillsLock } from '../lock/lock-file.ts'
import { openProject } from './leftovers.ts'
import { planOf, type InstallPlan, type PlanStep, stepOn } from './plan.ts'
import { PROJECT_OPTIONS, type ProjectOptions } from './project.ts'
import { notLocked } from './update.ts'

/** Options of `planRemove`. */
export interface RemoveOptions extends ProjectOptions {
  readonly skills: readonly string[]
  /** Whether edited skills, and those not in the lock, are removed too. Default false: the plan is refused. */
  readonly force?: boolean | undefined
}

const OPTIONS: OptionTable<RemoveOptions> = {
  ...PROJECT_OPTIONS,
  skills: required(listOf(anyText, 'a list of skill names')),
  force: withDefault(false, flag),
}

/**
 * Plans to remove skills: their folders, their entries in the lock, and their links for other clients.
 * @throws {SkillError} LOCK_MISSING; SKILL_NOT_FOUND: neither the lock nor the folder has it; STORE_CONFLICT: it was
 * edited, or is not in the lock, so that nothing could bring it back
 */
export async function planRemove(options: RemoveOptions): Promise<InstallPlan> {
  checkOptions('planRemove', OPTIONS, options)
  const { skills: names, force = false } = options
  const project = await openProject(options)
  const { skills } = await readSkillsLock(project.project)
  const steps: PlanStep[] = []
  const conflicts: string[] = []
  for (const name of new Set(names.map((given) => lockedName(skills.keys(), given) ?? given))) {
    const entry = skills.get(name)
    const installed = await readInstalled(project.folder, name, entry)
    const { found, state } = installed
    if (entry === undefined && state === undefined) {
      const lock = await requireSkillsLock(project.project)
      throw notLocked(name, [...lock.skills.keys()])
    }
    if (!force && state !== undefined && isEdited(found)) {
      const files = namedFiles(found)
      conflicts.push(
        found.state === 'unlocked'
          ? `"${name}" is not in the lock`
          : `"${name}" was edited here${files && ` (${files})`}`,
      )
    }
    steps.push(stepOn({ name, project, entry, installed }, 'remove'))
  }
  if (conflicts.length > 0) {
    const message = `Nothing was removed. ${conflicts.map((each) => `${each}.`).join(' ')} Nothing could bring it back: move it away, or remove it with --force (in code: \`force\`).`
    throw new SkillError('STORE_CONFLICT', message)
  }
  return planOf('remove', project, steps)
}
