import type { PlannedSkill, SkillsLock } from '@repertoire/library'
import type { Command } from 'commander'
import type { Context, ExitCode, Finish } from '../context.ts'
import { createFetchProgress } from '../output/fetch-progress.ts'
import { shortRevision } from '../output/install-plan.ts'
import { toJson } from '../output/json.ts'
import { count, paragraphs, visible, visibleName } from '../output/text.ts'
import {
  type FetchFlags,
  type ProjectFlags,
  addFetchOptions,
  addProjectOptions,
  originOptions,
  projectOf,
} from './project-options.ts'

/** A skill whose origin has another content than the lock, does not have it any more, or could not be asked. */
interface OutdatedSkill {
  readonly name: string
  readonly state: 'newer' | 'gone' | 'unchecked'
  /** The revisions of the lock and of the origin. Absent: the origin has none, such as a folder. */
  readonly locked?: string | undefined
  readonly newest?: string | undefined
  /** Whether its files were changed here, so that `update` keeps it. */
  readonly edited: boolean
  /** Of `unchecked`: what its origin said. */
  readonly problem?: string | undefined
}

const HELP = `
It writes nothing. Exit code: 0 if all skills are up to date; 1 if not, or if an origin does not answer; 2 for a wrong command.

Examples:
  $ repertoire outdated
  $ repertoire outdated pdf --json`

/** Adds `repertoire outdated`. */
export function addOutdated(program: Command, context: Context, finish: Finish): void {
  const command = program
    .command('outdated')
    .summary('list the skills that have newer versions')
    .description('List the skills of the lock whose origins have something newer.')
    .argument('[NAME...]', 'skills of the lock (default: all)')
  addFetchOptions(addProjectOptions(command))
    .addHelpText('after', paragraphs(HELP, context.stdout))
    .action(async (names: string[], options: ProjectFlags & FetchFlags) =>
      finish(await outdated(names, options, context)),
    )
}

async function outdated(
  names: readonly string[],
  options: ProjectFlags & FetchFlags,
  context: Context,
): Promise<ExitCode> {
  const { stdout, stderr } = context
  const { planUpdate, readSkillsLock } = await import('@repertoire/library')
  const progress = createFetchProgress(stderr)
  progress.begin('skills-lock.json')
  const plan = await planUpdate({
    ...projectOf(options, context),
    origin: originOptions(options),
    onProgress: progress.step,
    ...(names.length > 0 && { skills: names }),
  }).finally(() => progress.end())
  const lock = await readSkillsLock(plan.project)
  const skills = plan.skills.filter(({ newer, because }) => newer || because === 'gone' || because === 'unchecked')
  const found = skills.map((skill) => outdatedSkill(skill, lock))
  const unchecked = found.filter(({ state }) => state === 'unchecked').length
  const newer = found.some(({ state }) => state === 'newer') ? '. "repertoire update" fetches what is newer' : ''
  const outdatedCount = `${count(found.length - unchecked, 'skill')} of ${plan.skills.length} outdated`
  const summary =
    found.length === 0
      ? 'Everything is up to date'
      : `${outdatedCount}${unchecked === 0 ? '' : `, ${unchecked} could not be checked`}${newer}`
  await (options.json
    ? stdout.write(toJson({ skills: found }))
    : stdout.print(`${found.map(outdatedText).join('')}${summary}.\n`))
  return found.length === 0 ? 0 : 1
}

function outdatedSkill({ name, because, origin, found, problem }: PlannedSkill, { skills }: SkillsLock): OutdatedSkill {
  return {
    name,
    state: because === 'gone' || because === 'unchecked' ? because : 'newer',
    locked: skills.get(name)?.repertoire?.revision,
    newest: origin?.revision,
    edited: found.state === 'changed',
    problem,
  }
}

function outdatedText({ name, state, locked, newest, edited, problem = '' }: OutdatedSkill): string {
  if (state === 'unchecked') return `${visibleName(name)}  could not be checked: ${visible(problem)}\n`
  const isMoved = locked !== undefined && newest !== undefined && locked !== newest
  const what =
    state === 'gone'
      ? 'its origin does not have it any more'
      : isMoved
        ? `${shortRevision(locked)} → ${shortRevision(newest)}`
        : 'newer files'
  return `${visibleName(name)}  ${what}${edited ? '  (edited here: update keeps it)' : ''}\n`
}
