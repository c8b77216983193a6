import { isSkillError } from '@repertoire/core'
import type { GlobalSkill, Leftover, PlaceProblem, ProjectOptions, VerifiedSkill } from '@repertoire/library'
import type { Command } from 'commander'
import type { Context, ExitCode, Finish } from '../context.ts'
import { toJson } from '../output/json.ts'
import { shownPath } from '../output/path.ts'
import { count, visible } from '../output/text.ts'
import { globalText, verificationText } from '../output/verification.ts'
import { reportError } from './finish-plan.ts'
import { otherLock } from './other-locks.ts'
import { type ProjectFlags, addProjectOptions, projectOf } from './project-options.ts'

interface VerifyFlags extends ProjectFlags {
  readonly strict?: true
}

const HELP = `
It also compares the links and copies in the lock. It writes nothing and needs no network. Skills that are not in the
lock may be your own: it names them. With --global it also looks at the lock of the "skills" command.

Exit code: 0 if everything matches the lock; 1 if not, or if there is no lock; 2 for a wrong command.

Examples:
  $ repertoire verify
  $ repertoire verify pdf --json`

/** Adds `repertoire verify`. */
export function addVerify(program: Command, context: Context, finish: Finish): void {
  const command = program
    .command('verify')
    .summary('compare every file of the installed skills with the lock')
    .description('Compare every file of the installed skills with the digests in skills-lock.json.')
    .argument('[NAME...]', 'skills (default: all)')
    .option('--strict', 'also fail for skills that are not in the lock')
  addProjectOptions(command)
    .addHelpText('after', HELP)
    .action(async (names: string[], options: VerifyFlags) => finish(await verify(names, options, context)))
}

async function verify(names: readonly string[], options: VerifyFlags, context: Context): Promise<ExitCode> {
  const { stdout, stderr, folder: caller } = context
  const given = projectOf(options, context)
  let found: Found
  try {
    found = await look(given, names, context)
  } catch (error) {
    return reportError(error, options.json === true, context)
  }
  const { folder, skills, places, leftovers, others, unknown } = found
  const ok =
    unknown.length === 0 &&
    leftovers.length === 0 &&
    places.length === 0 &&
    skills.every(({ state }) => state === 'unchanged' || (state === 'unlocked' && !options.strict)) &&
    others?.problem === undefined &&
    (others?.skills.every(({ state }) => state === 'unchanged' || state === 'unknown') ?? true)
  const style = { paint: stdout.paint, folder: caller }
  if (options.json) {
    await stdout.write(toJson({ ok, folder, skills, places, leftovers, unknown, others }))
  } else {
    await stdout.write(verificationText(skills, places, leftovers, style))
    if (others?.lock !== undefined && others.skills.length > 0) {
      const what = `${count(others.skills.length, 'skill')} of another command, in ${shownPath(others.lock, caller)}`
      await stdout.write(`${globalText(others.skills, style)}${what}\n`)
    }
  }
  if (others?.problem !== undefined) {
    await stderr.write(`${stderr.paint.red('error:')} ${visible(others.problem)}\n`)
  }
  for (const name of unknown) {
    await stderr.write(
      `${stderr.paint.red('error:')} There is no skill ${visible(name)} in the lock, nor in ${shownPath(folder, caller)}.\n`,
    )
  }
  return ok ? 0 : 1
}

/** What was found of the skills that are meant. */
interface Found {
  readonly folder: string
  readonly skills: readonly VerifiedSkill[]
  readonly places: readonly PlaceProblem[]
  readonly leftovers: readonly Leftover[]
  /** Names that match no skill. */
  readonly unknown: readonly string[]
  /** With --global: those of the lock of other commands. */
  readonly others?: Others
}

/** The skills of other commands, or why nothing is known of them. */
interface Others {
  readonly lock?: string
  readonly skills: readonly GlobalSkill[]
  readonly problem?: string
}

async function look(given: ProjectOptions, names: readonly string[], context: Context): Promise<Found> {
  const library = await import('@repertoire/library')
  const { checkPlaces, findLeftovers, locateProject, verifyGlobalSkills, verifySkills } = library
  const { project, folder } = await locateProject(given)
  const meant = names.length === 0 ? {} : { skills: names }
  if (given.user !== true) await library.requireSkillsLock(project)
  const { skills, unknown } = await verifySkills({ ...given, ...meant })
  const places = await checkPlaces({ ...given, ...meant })
  const leftovers = await findLeftovers(given)
  if (given.user !== true) return { folder, skills, places, leftovers, unknown }
  const lock = await otherLock(context).catch((error: unknown) => {
    if (!isSkillError(error)) throw error
    return error
  })
  // What is ours is compared all the same.
  if (isSkillError(lock))
    return { folder, skills, places, leftovers, unknown, others: { skills: [], problem: lock.message } }
  const others = await verifyGlobalSkills({ lock, folder, ...meant })
  if (lock.skills.size === 0) await library.requireSkillsLock(project)
  const folders = new Set([...lock.skills.values()].map((entry) => entry.folder))
  const known = new Set<string>()
  for (const name of unknown) {
    if ((await verifyGlobalSkills({ lock, folder, skills: [name] })).length > 0) known.add(name)
  }
  return {
    folder,
    // Skills of another command are reported once.
    skills: skills.filter(({ name, state }) => state !== 'unlocked' || !folders.has(name)),
    places,
    leftovers,
    unknown: unknown.filter((name) => !known.has(name)),
    others: { lock: lock.path, skills: others },
  }
}
