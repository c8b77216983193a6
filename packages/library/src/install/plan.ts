import { showInvisible, showName, SkillError, type Diagnostic, type SkillFiles } from '@repertoire/core'
import { type SkillDemands } from '@repertoire/core/authoring'
import { storedPathProblem } from '@repertoire/core/stores'
import { folderNameOf } from '../lock/folder-name.ts'
import type { LockedSkill } from '../lock/skills-lock.ts'
import type { VerifiedSkill } from '../lock/verify.ts'
import type { ResolvedOrigin } from '../origins/origin.ts'
import type { ContentFacts } from './facts.ts'
import type { Project } from './project.ts'
import type { Scan, ScanResult } from './scan.ts'
import { isDeepStrictEqual } from 'node:util'
import { entryOf, type FetchedContent } from './content.ts'
import { differences, type Installed } from './installed.ts'

/**
 * What is done with a skill. `add`: its folder is written, and there was none. `replace`: its folder is written over the
 * one there. `pin`: its folder stays, and the lock has it. `remove`: its folder and its entry go. `keep`: nothing is done;
 * see `because`.
 */
export type PlannedAction = 'add' | 'replace' | 'pin' | 'remove' | 'keep'

/**
 * Why nothing is done. `unchanged`: all is as it should be. `edited`: its files were changed here, and would be lost.
 * `gone`: its origin does not have it any more.
 */
export type KeptReason = 'unchanged' | 'edited' | 'gone'

/** A skill in a plan. */
export interface PlannedSkill {
  readonly name: string
  readonly action: PlannedAction
  /** Of `keep`. */
  readonly because?: KeptReason
  readonly description?: string
  /** Where it comes from. Absent: nothing was fetched. */
  readonly origin?: ResolvedOrigin
  /** Whether its origin has another content than the lock. Absent: it has not, or nothing was fetched. */
  readonly newer?: true
  /** How its folder differs from the lock before anything is done. */
  readonly found: VerifiedSkill
  /** Which files differ afterwards from what is there now. Of an addition, all of them. */
  readonly changed: readonly string[]
  /** What it asks for. Absent: nothing was fetched, or nothing that is not there already. */
  readonly demands?: SkillDemands
  /** What its files hold. Absent as `demands`. */
  readonly facts?: ContentFacts
  /** What the scanner said. Absent: there is none, or nothing to scan. */
  readonly scan?: ScanResult
  /** Folders of other clients that have it too. */
  readonly also: Readonly<Record<string, 'link' | 'copy'>>
}

/** What would be done. Nothing of it is done before `applyPlan`. */
export interface InstallPlan {
  readonly kind: 'add' | 'install' | 'update' | 'remove'
  /** Absolute. */
  readonly project: string
  /** The folder that the skills are written to. Absolute. */
  readonly folder: string
  /** Whether a plan finds that folder by itself later. False: it has to be named again, since its last part is not `skills`. */
  readonly remembered: boolean
  /** By name, in code-unit order. */
  readonly skills: readonly PlannedSkill[]
  readonly diagnostics: readonly Diagnostic[]
  /** Links and copies for other clients that are not what they should be. What can be made again is. */
  readonly places: readonly PlaceProblem[]
  /** Whether anything would be written. */
  readonly writes: boolean
  /** Why `applyPlan` refuses it: what the scanner said, by skill. */
  readonly refused?: string
  /** Whether content would be written that the lock does not have yet: what a person should see before. */
  readonly brings: boolean
}

/** What a plan is carried out with; not for those who show it. */
export interface PlanStep {
  readonly skill: PlannedSkill
  /** What was there when the plan was made; undefined: nothing. */
  readonly before: string | undefined
  readonly entryBefore: LockedSkill | undefined
  /** Absent: the folder stays as it is, or goes. */
  readonly files?: SkillFiles
  /** Absent if the entry is removed or unchanged. */
  readonly entry?: LockedSkill
}

const contents = new WeakMap<InstallPlan, { readonly project: Project; readonly steps: readonly PlanStep[] }>()

/** Makes a plan of its steps. */
export function planOf(
  kind: InstallPlan['kind'],
  project: Project,
  steps: readonly PlanStep[],
  diagnostics: readonly Diagnostic[] = [],
  places: readonly PlaceProblem[] = [],
): InstallPlan {
  const sorted = steps.toSorted((a, b) => (a.skill.name < b.skill.name ? -1 : 1))
  checkFolders(sorted)
  const skills = sorted.map(({ skill }) => skill)
  const refused = refusedBy(skills)
  const plan: InstallPlan = {
    kind,
    project: project.project,
    folder: project.folder,
    remembered: project.isRemembered,
    skills,
    diagnostics,
    places,
    writes: places.length > 0 || skills.some(({ action }) => action !== 'keep'),
    brings: skills.some(({ demands }) => demands !== undefined),
    ...(refused !== undefined && { refused }),
  }
  contents.set(plan, { project, steps: sorted })
  return plan
}

function refusedBy(skills: readonly PlannedSkill[]): string | undefined {
  const reasons = skills.flatMap(({ name, scan }) => {
    if (scan?.stops !== true) return []
    const { scanner, reason, findings } = scan
    const what =
      reason === undefined
        ? `refuses "${name}" (findings: ${findings.length})`
        : `failed on "${name}": ${showInvisible(reason)}`
    return [`The scanner ${showName(scanner)} ${what}.`]
  })
  return reasons.length === 0 ? undefined : `Nothing was written. ${reasons.join(' ')}`
}

/**
 * The names in a lock file are not folder names yet, and another program may have written them.
 * @throws {SkillError} STORE_CONFLICT: two skills would be in one folder; RESOURCE_REFUSED: no store names a folder so
 */
function checkFolders(steps: readonly PlanStep[]): void {
  const byFolder = Map.groupBy(steps, ({ skill }) => folderNameOf(skill.name))
  for (const [folder, together] of byFolder) {
    if (together.every(({ files }) => files === undefined)) continue
    const names = together.map(({ skill }) => `"${showName(skill.name)}"`).join(' and ')
    if (together.length > 1) {
      const message = `Nothing was written. ${names} would be in one folder, ${showName(folder)}: take one of them out of the lock.`
      throw new SkillError('STORE_CONFLICT', message)
    }
    const problem = folder.startsWith('.') ? 'it is hidden' : storedPathProblem(folder)
    if (problem === undefined) continue
    const message = `Nothing was written: ${names} is not the name of a skill's folder: ${problem}. Change it in the lock.`
    throw new SkillError('RESOURCE_REFUSED', message, { path: folder })
  }
}

/** @throws {TypeError} it is not a plan that was made here */
export function stepsOf(plan: InstallPlan): { readonly project: Project; readonly steps: readonly PlanStep[] } {
  const found = contents.get(plan)
  if (found === undefined) throw new TypeError('applyPlan: pass a plan as planAdd and the others return it.')
  return found
}

/** A link or a copy for another client that is not what it should be. Nothing of somebody else is overwritten. */
export interface PlaceProblem {
  readonly skill: string
  /** Relative to the project: `.claude/skills`. */
  readonly folder: string
  readonly kind: 'link' | 'copy'
  /** As a sentence, with what to do. */
  readonly reason: string
}

/** What is known of a skill before a step is planned. */
export interface StepContext {
  /** In the lock. Default: the one that it is stored under. */
  readonly name?: string
  readonly project: Pick<Project, 'project' | 'lockedFolder'>
  readonly entry: LockedSkill | undefined
  readonly installed: Installed
}

/** The same of a skill that was fetched. */
interface FetchedContext extends StepContext {
  readonly scan: Scan | undefined
  /** Further folders of other clients, in addition to those of the entry. */
  readonly also?: Readonly<Record<string, 'link' | 'copy'>>
}

/** Plans that a skill has a fetched content afterwards. */
export async function stepTo(content: FetchedContent, context: FetchedContext): Promise<PlanStep> {
  const { project, entry, installed } = context
  const also = { ...alsoOf(entry), ...context.also }
  const files = content.pin.repertoire.files
  const changed = differences(files, installed.state)
  const isAgreed = isDeepStrictEqual({ ...entry?.repertoire?.files }, { ...files })
  const isThere = installed.state !== undefined && changed.length === 0
  const isScanned = isAgreed && isThere && entry?.repertoire?.scan !== undefined
  const scanned = isScanned ? undefined : await context.scan?.(content.skill)
  const after = entryOf(content, entry, { also, scanned }, project)
  const isPinned = isDeepStrictEqual({ ...entry }, { ...after })
  const action = !isThere ? (installed.state === undefined ? 'add' : 'replace') : isPinned ? 'keep' : 'pin'
  return {
    skill: {
      name: context.name ?? content.skill.name,
      action,
      ...(action === 'keep' && { because: 'unchanged' as const }),
      description: content.description,
      origin: content.origin,
      ...(isNewer(content, entry) && { newer: true as const }),
      found: installed.found,
      changed,
      ...(!isAgreed && { demands: await content.demands(), facts: content.facts() }),
      ...(scanned !== undefined && { scan: scanned }),
      also,
    },
    before: installed.fingerprint,
    entryBefore: entry,
    ...(!isThere && { files: content.skill.files }),
    entry: after,
  }
}

function isNewer({ pin }: FetchedContent, entry: LockedSkill | undefined): boolean {
  if (entry?.repertoire === undefined) return entry !== undefined && entry.computedHash !== pin.computedHash
  return !isDeepStrictEqual({ ...entry.repertoire.files }, { ...pin.repertoire.files })
}

/** Plans that nothing is done. */
export function stepKept(name: string, { entry, installed }: StepContext, because: KeptReason): PlanStep {
  const { found, fingerprint } = installed
  return {
    skill: { name, action: 'keep', because, found, changed: [], also: alsoOf(entry) },
    before: fingerprint,
    entryBefore: entry,
    entry,
  }
}

/** Where else an entry has the skill. */
export function alsoOf(entry: LockedSkill | undefined): Readonly<Record<string, 'link' | 'copy'>> {
  return entry?.repertoire?.also ?? {}
}
