import { callable, checkOptions, flag, signal, tableOf, type OptionTable, withDefault } from '@repertoire/core/options'
import { isDeepStrictEqual } from 'node:util'
import { join } from 'node:path'
import { showName, SkillError } from '@repertoire/core'
import { skillFolder } from '@repertoire/core/node'
import { isEdited, namedFiles } from '../lock/compare.ts'
import { folderNameOf } from '../lock/folder-name.ts'
import { readInstalled, skillsIn, type Installed } from '../lock/installed.ts'
import { requireSkillsLock } from '../lock/lock-file.ts'
import { pinSkill } from '../lock/pin.ts'
import type { LockedSkill } from '../lock/skills-lock.ts'
import { ORIGIN_OPTIONS, type OriginOptions } from '../origins/options.ts'
import type { FetchOptions } from '../origins/origin.ts'
import type { FetchedContent } from './content.ts'
import { fetchLocked, relocateWith, type Relocate } from './fetch-locked.ts'
import { openProject } from './leftovers.ts'
import { planOf, type InstallPlan, type PlanStep, type StepContext, stepOn, stepTo } from './plan.ts'
import { PROJECT_OPTIONS, type Project, type ProjectOptions } from './project.ts'
import { SCAN_OPTIONS, scanWith, type WithScan } from './scan.ts'

/** Options of `planInstall`. */
export interface InstallOptions extends ProjectOptions, Omit<FetchOptions, 'skills'>, WithScan {
  /**
   * Whether the lock is the last word: anything that differs from it is an error, and so is a skill without digests.
   * Where all is there, no network is used. Default false.
   */
  readonly frozen?: boolean | undefined
  /** Whether skills that were edited get the content of the lock. Default false: they are kept. */
  readonly force?: boolean | undefined
  /** For the origins that are asked. */
  readonly origin?: OriginOptions | undefined
  /** How an entry's origin is found again. Default: `resolveOrigin`. */
  readonly relocate?: Relocate | undefined
}

/** The options of `planInstall`. */
export const INSTALL_OPTIONS: OptionTable<InstallOptions> = {
  ...PROJECT_OPTIONS,
  frozen: withDefault(false, flag),
  force: withDefault(false, flag),
  origin: tableOf(ORIGIN_OPTIONS),
  relocate: withDefault('resolveOrigin', callable),
  scan: tableOf(SCAN_OPTIONS),
  signal,
  onProgress: callable,
}

/**
 * Plans to bring the folders to what the lock says. Writes nothing, and fetches only what is missing. Skills that
 * another command has added, without digests, are pinned as they are. A skill whose origin fails stays as it is, as
 * `unchecked`; with `frozen` that is an error.
 * @throws {SkillError} LOCK_MISMATCH: what was fetched is not what the lock has, or `frozen` and something differs;
 * each skill by its name; with `frozen` also folders that are not in the lock. LOCK_MISSING. And what an origin and the
 * lock refuse
 */
export async function planInstall(options: InstallOptions): Promise<InstallPlan> {
  checkOptions('planInstall', INSTALL_OPTIONS, options)
  const { frozen = false, force = false } = options
  const project = await openProject(options)
  const { relocate = relocateWith(project.project, options.origin) } = options
  const { skills } = await requireSkillsLock(project.project)
  const steps: PlanStep[] = []
  const wanted: (StepContext & { readonly entry: LockedSkill })[] = []
  const problems: string[] = []
  for (const [name, entry] of skills) {
    const installed = await readInstalled(project.folder, name, entry)
    const context = { name, project, entry, installed }
    const { found } = installed
    const problem = frozen ? frozenProblem(name, entry, installed) : undefined
    if (problem !== undefined) problems.push(problem)
    else if (found.state === 'missing' || (force && isEdited(found))) wanted.push(context)
    else if (isEdited(found)) steps.push(stepOn(context, 'keep', { because: 'edited' }))
    else if (found.state === 'unpinned')
      steps.push(stepOn(context, 'pin', { after: await pinned(name, entry, project) }))
    else steps.push(stepOn(context, 'keep', { because: 'unchanged' }))
  }
  if (frozen) problems.push(...strangersIn(project, skills.keys()))
  const remedy =
    'Without --frozen (`frozen`), skills without digests are pinned, and --force (`force`) takes the content of the lock back.'
  if (problems.length > 0) throw mismatch(problems, remedy)
  const scan = scanWith(project.clients, options)
  const { contents, failures, diagnostics } = await fetchLocked(wanted, { ...options, relocate, exact: true })
  for (const context of wanted) {
    const { name, entry } = context
    const failure = failures.get(name)
    const content = contents.get(name)
    if (failure !== undefined && failure.code !== 'SKILL_NOT_FOUND') {
      if (frozen) throw failure
      steps.push(stepOn(context, 'keep', { because: 'unchecked', problem: failure.message }))
    } else if (content === undefined) problems.push(`"${name}" is not in ${entry.source} any more`)
    else if (!isAsLocked(content, entry)) {
      problems.push(`"${name}" has another content in ${entry.source} than the lock has`)
    } else {
      const step = await stepTo(content, context, scan)
      // What the lock has already stays as it is written.
      steps.push(entry.repertoire === undefined ? step : { ...step, entry })
    }
  }
  if (problems.length > 0) throw mismatch(problems, 'Look at what has changed there, and take it with "update".')
  return planOf('install', project, steps, diagnostics)
}

function frozenProblem(name: string, entry: LockedSkill, { found }: Installed): string | undefined {
  if (entry.repertoire === undefined) return `"${name}" is unpinned: the lock has no digests of it`
  if (found.state === 'missing' || found.state === 'unchanged') return undefined
  return `"${name}" differs from the lock (${namedFiles(found)})`
}

/** Folders that a client could load, and the lock knows nothing of. */
function strangersIn({ folder, isUser }: Project, locked: Iterable<string>): readonly string[] {
  const known = new Set([...locked].map(folderNameOf))
  // Other commands keep a user's skills in the same folder, and have their own lock file.
  const strangers = isUser ? [] : skillsIn(folder).filter((name) => !known.has(name))
  return strangers.map(
    (name) => `"${showName(name)}" is in ${showName(folder)}, and not in the lock: add it, or remove it`,
  )
}

function isAsLocked({ pin }: FetchedContent, { repertoire, computedHash = pin.computedHash }: LockedSkill): boolean {
  return repertoire === undefined
    ? computedHash === pin.computedHash
    : isDeepStrictEqual({ ...repertoire.files }, { ...pin.repertoire.files })
}

/** The entry of a skill that another command has installed: its digests are added, and nothing is fetched. */
async function pinned(name: string, entry: LockedSkill, { folder, lockedFolder }: Project): Promise<LockedSkill> {
  const { repertoire } = await pinSkill(skillFolder(join(folder, folderNameOf(name))))
  return { ...entry, repertoire: { ...repertoire, ...(lockedFolder !== undefined && { folder: lockedFolder }) } }
}

function mismatch(problems: readonly string[], remedy: string): SkillError {
  const message = `Nothing was written. ${problems.map((each) => `${each}.`).join(' ')} ${remedy}`
  return new SkillError('LOCK_MISMATCH', message)
}
