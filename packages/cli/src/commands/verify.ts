import type { GlobalSkill, PlaceProblem, Verification, VerifiedSkill } from '@repertoire/library'
import type { Command } from 'commander'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Context, ExitCode, Finish } from '../context.ts'
import { toJson } from '../output/json.ts'
import { shownPath } from '../output/path.ts'
import { count, visible } from '../output/text.ts'
import { globalText, verificationText } from '../output/verification.ts'
import { reportError } from './finish-plan.ts'
import { PROJECT_HELP, type ProjectFlags, addProjectOptions, projectOf } from './project-options.ts'

interface VerifyFlags extends ProjectFlags {
  readonly strict?: true
  readonly global?: true
}

const HELP = `
Every file of every skill in the lock is compared by its digest, hidden ones too, and so are the links and copies that the
lock names. Nothing is written, and no network is asked. A skill in the folder that the lock does not have may be your
own: it is named, and with --strict it is a finding.

--global looks at the lock that other commands keep for your own skills (~/.agents/.skill-lock.json). It has no digest of
each file: where it has the git tree of a skill, that is compared; otherwise it is said that nothing is known. It is
never written.
${PROJECT_HELP}

The JSON value is { ok, folder, skills: [{ name, state, edited, added, missing, mode, hashFits?, reason? }], places };
with --global { ok, lock, skills: [{ name, source, state }] }; or { error: { code, message } }.

Exit code: 0 if everything is as the lock says; 1 if not; 2 for a wrong command.

Examples:
  $ repertoire verify
  $ repertoire verify pdf --json
`

/** Adds `repertoire verify`. */
export function addVerify(program: Command, context: Context, finish: Finish): void {
  const command = program
    .command('verify')
    .summary('compare every file of the installed skills with the lock')
    .description('Compare every file of the installed skills with the digests in skills-lock.json.')
    .argument('[NAME...]', 'skills (default: all)')
    .option('--strict', 'skills that the lock does not have are findings')
    .option('--global', 'look at your own skills, by the lock of other commands')
  addProjectOptions(command)
    .addHelpText('after', HELP)
    .action(async (names: string[], options: VerifyFlags) =>
      finish(await (options.global ? verifyGlobal(names, options, context) : verify(names, options, context))),
    )
}

async function verify(names: readonly string[], options: VerifyFlags, context: Context): Promise<ExitCode> {
  const { stdout, stderr, folder: caller } = context
  const given = projectOf(options, context)
  const folder = join(given.project, given.folder ?? '.agents/skills')
  let found: { readonly verification: Verification; readonly places: readonly PlaceProblem[] }
  try {
    const { checkPlaces, readSkillsLock, verifySkills } = await import('@repertoire/library')
    const lock = await readSkillsLock(given.project)
    found = { verification: await verifySkills({ lock, folder }), places: await checkPlaces(given) }
  } catch (error) {
    return reportError(error, options.json === true, context)
  }
  const isMeant = (name: string): boolean => names.length === 0 || names.includes(name)
  const skills = found.verification.skills.filter(({ name }) => isMeant(name))
  const places = found.places.filter(({ skill }) => isMeant(skill))
  const unknown = names.filter((name) => !skills.some((skill) => skill.name === name))
  const ok = unknown.length === 0 && places.length === 0 && skills.every((skill) => isFine(skill, options))
  const style = { paint: stdout.paint, folder: caller }
  if (options.json) await stdout.write(toJson({ ok, folder, skills, places }))
  else await stdout.write(verificationText(skills, places, style))
  for (const name of unknown) {
    await stderr.write(
      `${stderr.paint.red('error:')} There is no skill ${visible(name)} in the lock, nor in ${shownPath(folder, caller)}.\n`,
    )
  }
  return ok ? 0 : 1
}

function isFine({ state }: VerifiedSkill, { strict }: VerifyFlags): boolean {
  return state === 'unchanged' || (state === 'unlocked' && !strict)
}

async function verifyGlobal(names: readonly string[], options: VerifyFlags, context: Context): Promise<ExitCode> {
  const { stdout, env } = context
  const home = env['HOME'] ?? env['USERPROFILE'] ?? homedir()
  let skills: readonly GlobalSkill[]
  let path: string
  try {
    const { readGlobalLock, verifyGlobalSkills } = await import('@repertoire/library')
    const lock = await readGlobalLock({
      home,
      ...(env['XDG_STATE_HOME'] !== undefined && { state: env['XDG_STATE_HOME'] }),
    })
    path = lock.path
    skills = await verifyGlobalSkills({ lock, folder: join(home, '.agents/skills') })
  } catch (error) {
    return reportError(error, options.json === true, context)
  }
  const meant = skills.filter(({ name }) => names.length === 0 || names.includes(name))
  const ok = meant.every(({ state }) => state === 'unchanged' || state === 'unknown')
  if (options.json) await stdout.write(toJson({ ok, lock: path, skills: meant }))
  else
    await stdout.write(
      `${globalText(meant, { paint: stdout.paint })}${count(meant.length, 'skill')} in ${shownPath(path, context.folder)}\n`,
    )
  return ok ? 0 : 1
}
