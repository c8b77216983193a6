import { showInvisible, showName, type Diagnostic, type SkillFiles } from '@repertoire/core'
import { type SkillDemands } from '@repertoire/core/authoring'
import { compareFiles, filesOf, type VerifiedSkill } from '../lock/compare.ts'
import type { Installed } from '../lock/installed.ts'
import type { LockedSkill } from '../lock/skills-lock.ts'
import type { ResolvedOrigin } from '../origins/origin.ts'
import type { ContentFacts } from './facts.ts'
import type { Project } from './project.ts'
import type { Scan, ScanResult } from './scan.ts'
import { isDeepStrictEqual } from 'node:util'
import { entryOf, type FetchedContent } from './content.ts'
import { linkProblems, type PlaceProblem } from './places.ts'

/**
 * What is done with a skill. `add`: its folder is written, and there was none. `replace`: its folder is written over
 * the one there. `pin`: its folder stays, and the lock has it. `remove`: its folder and its entry go. `keep`: nothing
 * is done; see `because`.
 */
export type PlannedAction = 'add' | 'replace' | 'pin' | 'remove' | 'keep'

/**
 * Why nothing is done. `unchanged`: all is as it should be. `edited`: its files were changed here, and would be lost.
 * `gone`: its origin does not have it any more. `unchecked`: its origin did not answer, or refused; see `problem`.
 */
export type KeptReason = 'unchanged' | 'edited' | 'gone' | 'unchecked'

/** A skill in a plan. */
export interface PlannedSkill {
  readonly name: string
  readonly action: PlannedAction
  /** Of `keep`. */
  readonly because?: KeptReason
  /** Of `unchecked`: what its origin said. */
  readonly problem?: string
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
  /** What the scanner said. Absent: no scanner, or nothing to scan. */
  readonly scan?: ScanResult
  /** Folders of other clients that have a link to it. */
  readonly also: readonly string[]
}

/** What would be done. Nothing of it is done before `applyPlan`. */
export interface InstallPlan {
  readonly kind: 'add' | 'install' | 'update' | 'remove'
  /** Absolute. */
  readonly project: string
  /** The folder that the skills are written to. Absolute. */
  readonly folder: string
  /** By name, in code-unit order. */
  readonly skills: readonly PlannedSkill[]
  readonly diagnostics: readonly Diagnostic[]
  /** Links for other clients that are not what they should be. What can be made again is. */
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
  readonly before: Installed['state']
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
): InstallPlan {
  const sorted = steps.toSorted((a, b) => (a.skill.name < b.skill.name ? -1 : 1))
  const skills = sorted.map(({ skill }) => skill)
  // What is written gets its links with it, and what is missing gets none.
  const kept = skills.filter((each) => kind === 'install' && each.action === 'keep' && each.found.state !== 'missing')
  const places = linkProblems(project, kept)
  const refused = refusedBy(skills)
  const plan: InstallPlan = {
    kind,
    project: project.project,
    folder: project.folder,
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
    const said = `The scanner ${showName(scanner)}`
    if (reason === undefined) return [`${said} refuses "${name}" (findings: ${findings.length}).`]
    return [`${said} failed on "${name}": ${showInvisible(reason)}.`]
  })
  const hasFailed = skills.some(({ scan }) => scan?.stops === true && scan.reason !== undefined)
  const way = hasFailed ? ' Correct it, or go on without its answer with --scan-optional (`optional`).' : ''
  return reasons.length === 0 ? undefined : `Nothing was written. ${reasons.join(' ')}${way}`
}

/** @throws {TypeError} it is not a plan that was made here */
export function stepsOf(plan: InstallPlan): { readonly project: Project; readonly steps: readonly PlanStep[] } {
  const found = contents.get(plan)
  if (found === undefined) throw new TypeError('applyPlan: pass a plan as planAdd and the others return it.')
  return found
}

/** What is known of a skill before a step is planned. */
export interface StepContext {
  /** In the lock, or under which it is stored. */
  readonly name: string
  readonly project: Project
  readonly entry: LockedSkill | undefined
  readonly installed: Installed
}

/** Plans that a skill has a fetched content afterwards. @param more further folders of other clients that get a link */
export async function stepTo(
  content: FetchedContent,
  { name, project, entry, installed }: StepContext,
  scan: Scan | undefined,
  more: readonly string[] = [],
): Promise<PlanStep> {
  const also = [...new Set([...(entry?.repertoire?.also ?? []), ...more])].toSorted()
  const files = content.pin.repertoire.files
  const changed = filesOf(compareFiles(files, installed.state))
  const isAgreed = isDeepStrictEqual({ ...entry?.repertoire?.files }, { ...files })
  const isNewer = entry?.repertoire === undefined ? entry?.computedHash !== content.pin.computedHash : !isAgreed
  const isThere = installed.state !== undefined && changed.length === 0
  const isScanned = isAgreed && isThere && entry?.repertoire?.scan !== undefined
  const scanned = isScanned ? undefined : await scan?.(content.skill)
  const after = entryOf(content, entry, { also, scanned }, project)
  const isPinned = isDeepStrictEqual({ ...entry }, { ...after })
  const action = !isThere ? (installed.state === undefined ? 'add' : 'replace') : isPinned ? 'keep' : 'pin'
  return {
    skill: {
      name,
      action,
      ...(action === 'keep' && { because: 'unchanged' as const }),
      description: content.description,
      origin: content.origin,
      ...(entry !== undefined && isNewer && { newer: true as const }),
      found: installed.found,
      changed,
      ...(!isAgreed && { demands: await content.demands(), facts: content.facts() }),
      ...(scanned !== undefined && { scan: scanned }),
      also,
    },
    before: installed.state,
    entryBefore: entry,
    ...(!isThere && { files: content.skill.files }),
    entry: after,
  }
}

/** Plans an action on what is there, without anything that was fetched. */
export function stepOn(
  { name, entry, installed }: StepContext,
  action: Exclude<PlannedAction, 'add' | 'replace'>,
  { after = entry, ...more }: { readonly after?: LockedSkill | undefined } & Partial<PlannedSkill> = {},
): PlanStep {
  const { found, state } = installed
  const changed = action === 'remove' ? Object.keys(state?.files ?? {}) : []
  return {
    skill: { name, action, found, changed, also: entry?.repertoire?.also ?? [], ...more },
    before: state,
    entryBefore: entry,
    ...(action !== 'remove' && { entry: after }),
  }
}
