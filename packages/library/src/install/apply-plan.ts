import { isDeepStrictEqual } from 'node:util'
import { SkillError } from '@repertoire/core'
import type { FolderChange } from '@repertoire/core/node'
import { folderNameOf } from '../lock/folder-name.ts'
import { stateIn } from '../lock/installed.ts'
import { withHeldLock, type HeldLock } from '../lock/lock-file.ts'
import { refuseTwin } from '../store/file-store.ts'
import { ignoreState, writeStore } from '../store/write-store.ts'
import { dropLinks, makeLinks, type PlaceProblem } from './places.ts'
import { stepsOf, type InstallPlan, type PlanStep } from './plan.ts'
import { refuseLinks, type Project } from './project.ts'

/** What was done. */
export interface InstallResult {
  /** Names of the skills whose folders were written, by code-unit order; and so on. */
  readonly written: readonly string[]
  readonly pinned: readonly string[]
  readonly removed: readonly string[]
  readonly kept: readonly string[]
  /** Links for other clients that are not what they should be. Empty: all is well. */
  readonly problems: readonly PlaceProblem[]
}

/**
 * Carries a plan out: the folders of all its skills, and then their entries in the lock. An error leaves folders and
 * lock as they were. What a program that is killed leaves behind is named by `findLeftovers` and by every later plan.
 * Links for other clients follow; they can be made again at any time.
 * @throws {SkillError} LOCK_MISMATCH: something has changed since the plan was made; make it again. SCAN_REFUSED,
 * LOCK_INVALID, RESOURCE_REFUSED, FOLDER_NOT_WRITABLE, TIMED_OUT. In each case folders and lock are as they were
 * @throws {TypeError} the plan is not one that `planAdd` or another of them has returned
 */
export async function applyPlan(plan: InstallPlan): Promise<InstallResult> {
  const { project, steps } = stepsOf(plan)
  if (plan.refused !== undefined) throw new SkillError('SCAN_REFUSED', plan.refused)
  const due = steps.filter(({ skill }) => skill.action !== 'keep')
  const dropped = due.length > 0 ? await write(project, due) : []
  const linked = steps.flatMap(({ skill }) => (skill.action === 'remove' ? [] : [skill]))
  const namesOf = (...actions: readonly string[]): readonly string[] =>
    steps.filter(({ skill }) => actions.includes(skill.action)).map(({ skill }) => skill.name)
  return {
    written: namesOf('add', 'replace'),
    pinned: namesOf('pin'),
    removed: namesOf('remove'),
    kept: namesOf('keep'),
    problems: [...dropped, ...makeLinks(project, linked)],
  }
}

/** @returns the links of removed skills that could not be removed */
async function write(project: Project, due: readonly PlanStep[]): Promise<readonly PlaceProblem[]> {
  const { project: root, folder, timeout, isUser, clients } = project
  const names = due.map(({ skill }) => skill.name)
  refuseLinks(clients, folder)
  return withHeldLock(root, { timeout, make: isUser }, (held) =>
    writeStore(folder, timeout, names, async (store) => {
      await refuseChanged(folder, due, held)
      for (const { skill, files } of due) if (files !== undefined) refuseTwin(store, folderNameOf(skill.name))
      ignoreState(store)
      const removed = due.flatMap(({ skill }) => (skill.action === 'remove' ? [skill] : []))
      // Before the entries go: whatever ends this, the lock still names the links, and they can be made again.
      const dropped = dropLinks(project, removed)
      try {
        store.change(due.flatMap(folderChange), () => {
          held.change((skills) => {
            for (const { skill, entry } of due) {
              if (entry === undefined) skills.delete(skill.name)
              else skills.set(skill.name, entry)
            }
          })
        })
      } catch (error) {
        makeLinks(project, removed)
        throw error
      }
      return dropped
    }),
  )
}

function folderChange({ skill, files, before }: PlanStep): readonly FolderChange[] {
  const name = folderNameOf(skill.name)
  if (files !== undefined) return [{ name, files }]
  return skill.action === 'remove' && before !== undefined ? [{ name }] : []
}

/** @throws {SkillError} LOCK_MISMATCH */
async function refuseChanged(folder: string, due: readonly PlanStep[], held: HeldLock): Promise<void> {
  const { skills } = held.read()
  for (const { skill, before, entryBefore } of due) {
    const isSame =
      isDeepStrictEqual(await stateIn(folder, skill.name), before) &&
      isDeepStrictEqual({ ...skills.get(skill.name) }, { ...entryBefore })
    if (isSame) continue
    const message = `Nothing was written: the skill "${skill.name}", or its entry in the lock, has changed since the plan was made. Look again, and repeat it.`
    throw new SkillError('LOCK_MISMATCH', message, { path: folder })
  }
}
