import { callable, checkOptions, flag, signal, tableOf, type OptionTable, withDefault } from '@repertoire/core/options'
import { isDeepStrictEqual } from 'node:util'
import { showName, SkillError } from '@repertoire/core'
import { skillFolder } from '@repertoire/core/node'
import { join } from 'node:path'
import { folderNameOf } from '../lock/folder-name.ts'
import { requireSkillsLock } from '../lock/require-lock.ts'
import { pinSkill } from '../lock/pin.ts'
import type { LockedSkill } from '../lock/skills-lock.ts'
import { skillsIn } from '../lock/verify.ts'
import { ORIGIN_OPTIONS, type OriginOptions } from '../origins/options.ts'
import type { FetchOptions } from '../origins/origin.ts'
import type { FetchedContent } from './content.ts'
import { fetchLocked, type Wanted, relocateWith, type Relocate } from './fetch-locked.ts'
import { isEdited, namedFiles, readInstalled, type Installed } from './installed.ts'
import { openProject } from './leftovers.ts'
import { duePlaces } from './places.ts'
import { planOf, type InstallPlan, type PlanStep, stepKept, stepTo } from './plan.ts'
import { PROJECT_OPTIONS, type Project, type ProjectOptions } from './project.ts'
import { SCAN_OPTIONS, scanWith, type WithScan } from './scan.ts'

/** Options of `planInstall`. */
export interface InstallOptions extends ProjectOptions, Omit<FetchOptions, 'skills'>, WithScan {
  /**
   * Whether the lock is the last word: anything that differs from it is an error, and so is a skill without digests. Where
   * all is there, no network is used. Default false.
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
 * Plans to bring the folders to what the lock says. Writes nothing, and fetches only what is missing. Skills that another
 * command has added, without digests, are pinned as they are.
 * @throws {SkillError} LOCK_MISMATCH: what was fetched is not what the lock has, or `frozen` and something differs; each
 * skill by its name; with `frozen` also folders that are not in the lock. LOCK_MISSING. And what an origin and
 * the lock refuse
 */
export async function planInstall(options: InstallOptions): Promise<InstallPlan> {
  checkOptions('planInstall', INSTALL_OPTIONS, options)
  const { frozen = false, force = false } = options
  const project = await openProject(options)
  const { relocate = relocateWith(project.project, options.origin) } = options
  const { skills } = await requireSkillsLock(project.project)
  const steps: PlanStep[] = []
  const wanted: Wanted[] = []
  const problems: string[] = []
  const installed = new Map<string, Installed>()
  for (const [name, entry] of skills) {
    const there = await readInstalled(project.folder, name, entry)
    installed.set(name, there)
    const context = { project, entry, installed: there }
    const problem = frozen ? frozenProblem(name, entry, there) : undefined
    if (problem !== undefined) problems.push(problem)
    else if (there.found.state === 'missing') wanted.push({ name, entry })
    else if (there.found.state === 'unchanged') steps.push(stepKept(name, context, 'unchanged'))
    else if (isEdited(there.found)) {
      if (force) wanted.push({ name, entry })
      else steps.push(stepKept(name, context, 'edited'))
    } else steps.push(await stepPinned(project, name, entry, there))
  }
  if (frozen) problems.push(...strangersIn(project, skills.keys()))
  const remedy =
    'Without --frozen (`frozen`), skills without digests are pinned, and --force (`force`) takes the content of the lock back.'
  if (problems.length > 0) throw mismatch(problems, remedy)
  const scan = scanWith(project.clients, options)
  const fetched = await fetchLocked(wanted, { ...options, relocate, exact: true })
  for (const { name, entry } of wanted) {
    const content = fetched.contents.get(name)
    const problem = fetchedProblem(name, entry, content)
    if (problem !== undefined) problems.push(problem)
    else {
      const step = await stepTo(content!, { name, project, entry, installed: installed.get(name)!, scan })
      // What the lock has already stays as it is written.
      steps.push(entry.repertoire === undefined ? step : { ...step, entry })
    }
  }
  if (problems.length > 0) throw mismatch(problems, 'Look at what has changed there, and take it with "update".')
  return planOf('install', project, steps, fetched.diagnostics, await duePlaces(project, steps))
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

function fetchedProblem(name: string, entry: LockedSkill, content: FetchedContent | undefined): string | undefined {
  if (content === undefined) return `"${name}" is not in ${entry.source} any more`
  const { repertoire, computedHash } = content.pin
  const isAsLocked =
    entry.repertoire === undefined
      ? (entry.computedHash ?? computedHash) === computedHash
      : isDeepStrictEqual({ ...entry.repertoire.files }, { ...repertoire.files })
  return isAsLocked ? undefined : `"${name}" has another content in ${entry.source} than the lock has`
}

/** Of a skill that is there as another command has installed it: its digests are added, and nothing is fetched. */
async function stepPinned(
  { folder, lockedFolder }: Project,
  name: string,
  entry: LockedSkill,
  there: Installed,
): Promise<PlanStep> {
  const pin = await pinSkill(skillFolder(join(folder, folderNameOf(name))))
  return {
    skill: { name, action: 'pin', found: there.found, changed: [], also: {} },
    before: there.fingerprint,
    entryBefore: entry,
    entry: {
      ...entry,
      repertoire: { ...pin.repertoire, ...(lockedFolder !== undefined && { folder: lockedFolder }) },
    },
  }
}

function mismatch(problems: readonly string[], remedy: string): SkillError {
  const message = `Nothing was written. ${problems.map((each) => `${each}.`).join(' ')} ${remedy}`
  return new SkillError('LOCK_MISMATCH', message)
}
