import type { Command } from 'commander'
import type { Context, ExitCode, Finish } from '../context.ts'
import { toJson } from '../output/json.ts'
import { shownPath } from '../output/path.ts'
import { paragraphs, visibleName } from '../output/text.ts'
import { verificationText } from '../output/verification.ts'
import { type ProjectFlags, addProjectOptions, projectOf } from './project-options.ts'

const HELP = `
It also compares the links in the lock. It writes nothing and needs no network. Skills that are not in the
lock may be your own: it names them.

Exit code: 0 if everything matches the lock; 1 if not, or if there is no lock; 2 for a wrong command.

Examples:
  $ repertoire verify
  $ repertoire verify pdf --json`

/** Adds `repertoire verify`. */
export function addVerify(program: Command, context: Context, finish: Finish): void {
  const command = program
    .command('verify')
    .summary('compare installed skills with the lock, file by file')
    .description('Compare every file of the installed skills with the digests in skills-lock.json.')
    .argument('[NAME...]', 'skills (default: all)')
  addProjectOptions(command)
    .addHelpText('after', paragraphs(HELP, context.stdout))
    .action(async (names: string[], options: ProjectFlags) => finish(await verify(names, options, context)))
}

async function verify(names: readonly string[], options: ProjectFlags, context: Context): Promise<ExitCode> {
  const { stdout, stderr, folder: caller } = context
  const given = projectOf(options, context)
  const { findLeftovers, locateProject, requireSkillsLock, verifySkills } = await import('@repertoire/library')
  const { project, folder } = await locateProject(given)
  await requireSkillsLock(project)
  const { skills, unknown, places } = await verifySkills({ ...given, ...(names.length > 0 && { skills: names }) })
  const leftovers = await findLeftovers(given)
  const ok =
    unknown.length + leftovers.length + places.length === 0 &&
    skills.every(({ state }) => state === 'unchanged' || state === 'unlocked')
  if (options.json) await stdout.write(toJson({ ok, folder, skills, places, leftovers, unknown }))
  else await stdout.print(verificationText(skills, places, leftovers, stdout))
  for (const name of unknown) {
    const where = `in the lock, nor in ${shownPath(folder, caller)}`
    await stderr.print(`${stderr.paint.red('error:')} There is no skill "${visibleName(name)}" ${where}.\n`)
  }
  return ok ? 0 : 1
}
