import { realpathSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { SkillError } from '@repertoire/core'
import { entryDigest } from '../durable/committed.ts'
import type { Commitment } from '../durable/journal.ts'
import { changeFolders, type FolderChange } from '../durable/swap.ts'
import { writingSystem, type WritingSystem } from '../durable/system.ts'
import { folderNameOf } from '../lock/folder-name.ts'
import { withHeldLock, type HeldLock } from '../lock/lock-file.ts'
import { refuseOtherSpellings } from '../store/put-resource.ts'
import { writeStore, ignoreState } from '../store/write-store.ts'
import { noteFormerCopies } from './former-copies.ts'
import { fingerprintIn } from './installed.ts'
import { dropPlaces, makePlaces } from './places.ts'
import { stepsOf, type InstallPlan, type PlanStep, type PlaceProblem } from './plan.ts'
import { refuseLinks, type Project } from './project.ts'

/** What was done. */
export interface InstallResult {
  /** Names of the skills whose folders were written, by code-unit order; and so on. */
  readonly written: readonly string[]
  readonly pinned: readonly string[]
  readonly removed: readonly string[]
  readonly kept: readonly string[]
  /** Folders of other clients that do not have what they should. Empty: all is well. */
  readonly problems: readonly PlaceProblem[]
}

/**
 * Carries a plan out: the folders of all its skills and their entries in the lock change together, or nothing does, whatever
 * ends it. What a killed program has left is undone, or completed where the lock was written already, before the next write.
 * Links and copies for other clients follow; they can be made again at any time.
 * @throws {SkillError} LOCK_MISMATCH: something has changed since the plan was made; make it again. LOCK_INVALID,
 * RESOURCE_REFUSED, FOLDER_NOT_WRITABLE, TIMED_OUT. In all cases the folders and the lock are as they were
 * @throws {TypeError} the plan is not one that `planAdd` or another of them has returned
 */
export async function applyPlan(plan: InstallPlan): Promise<InstallResult> {
  return carryOutOn(plan, writingSystem)
}

/** Does the same with writes of another kind, for tests that let them fail. */
export async function carryOutOn(plan: InstallPlan, system: WritingSystem): Promise<InstallResult> {
  const { project, steps } = stepsOf(plan)
  const due = steps.filter(({ skill }) => skill.action !== 'keep')
  const dropped = due.length > 0 ? await write(project, due, system) : []
  const namesOf = (...actions: readonly string[]): readonly string[] =>
    steps.filter(({ skill }) => actions.includes(skill.action)).map(({ skill }) => skill.name)
  return {
    written: namesOf('add', 'replace'),
    pinned: namesOf('pin'),
    removed: namesOf('remove'),
    kept: namesOf('keep'),
    problems: [...dropped, ...(await makePlaces(project, steps, system))],
  }
}

async function write(
  project: Project,
  due: readonly PlanStep[],
  system: WritingSystem,
): Promise<readonly PlaceProblem[]> {
  const { project: root, folder, timeout, isUser } = project
  const names = due.map(({ skill }) => skill.name)
  refuseLinks(project)
  return withHeldLock(root, { timeout, make: isUser }, system, (held) =>
    writeStore({ root: folder, timeout, system }, names, async (folders) => {
      await refuseChanged(folder, due, held)
      for (const { skill, files } of due)
        if (files !== undefined) refuseOtherSpellings(folders.root, folderNameOf(skill.name))
      ignoreState(folders)
      const commitment: Commitment = {
        project: wayUp(folders.path, root),
        entries: Object.fromEntries(due.map(({ skill, entry }) => [skill.name, entry ? entryDigest(entry) : null])),
      }
      noteFormerCopies(folders, due)
      const dropped = await dropPlaces(project, due, system)
      try {
        changeFolders(folders, due.flatMap(folderChange), commitment, () => {
          held.change((skills) => {
            for (const { skill, entry } of due) {
              if (entry === undefined) skills.delete(skill.name)
              else skills.set(skill.name, entry)
            }
          })
        })
      } catch (error) {
        await makeAgain(project, due, system)
        throw error
      }
      return dropped
    }),
  )
}

/** The skills stay, and so do their links and copies. What cannot be made now, the next installation makes. */
async function makeAgain(project: Project, due: readonly PlanStep[], system: WritingSystem): Promise<void> {
  const kept = due.flatMap(({ skill, entryBefore, ...step }) =>
    skill.action !== 'remove' || entryBefore === undefined
      ? []
      : [{ ...step, skill: { ...skill, action: 'keep' as const }, entryBefore, entry: entryBefore }],
  )
  await makePlaces(project, kept, system).catch(() => [])
}

function folderChange({ skill, files, before }: PlanStep): readonly FolderChange[] {
  if (files !== undefined) return [{ skill: folderNameOf(skill.name), files }]
  return skill.action === 'remove' && before !== undefined ? [{ skill: folderNameOf(skill.name) }] : []
}

/** @throws {SkillError} LOCK_MISMATCH */
async function refuseChanged(folder: string, due: readonly PlanStep[], held: HeldLock): Promise<void> {
  const { skills } = held.read()
  for (const { skill, before, entryBefore } of due) {
    const isSame =
      (await fingerprintIn(folder, skill.name)) === before &&
      isDeepStrictEqual({ ...skills.get(skill.name) }, { ...entryBefore })
    if (isSame) continue
    const message = `Nothing was written: the skill "${skill.name}", or its entry in the lock, has changed since the plan was made. Look again, and repeat it.`
    throw new SkillError('LOCK_MISMATCH', message, { path: folder })
  }
}

/** The way from the folder with the skills to the project, for whoever completes or undoes the change later. */
function wayUp(folder: string, project: string): string {
  const way = relative(folder, realpathSync.native(project)).split(sep).join('/')
  if (way === '') return '.'
  if (/^\.\.(?:\/\.\.)*$/.test(way)) return way
  const message = `Nothing is written: ${folder} does not lie in ${project}, since a link leads out of it. Put a folder there.`
  throw new SkillError('RESOURCE_REFUSED', message, { path: folder })
}
