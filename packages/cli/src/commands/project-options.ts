import type { OriginOptions, ProjectOptions } from '@repertoire/library'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import type { Context } from '../context.ts'
import { UsageError } from '../usage-error.ts'
import { jsonOption, repeatableOption } from './options.ts'
import { homeOf } from './other-locks.ts'

/** The options of every command that looks at the skills of a project. */
export interface ProjectFlags {
  readonly project?: string
  readonly to?: string
  readonly global?: true
  readonly json?: true
}

/** The options of commands that write there. */
export interface WriteFlags extends ProjectFlags {
  readonly dryRun?: true
  readonly yes?: true
  readonly force?: true
}

/** The options of commands that fetch. */
export interface FetchFlags {
  readonly timeout?: number
  readonly registry?: string
  readonly allowPrivate?: readonly string[]
}

/** The help text about places. */
export const PROJECT_HELP = `
Skills are written to .agents/skills of the current folder, where every client that follows the convention looks, and
skills-lock.json beside it says where each is from, with its revision and a digest of every file. The "skills" command
reads both. --project chooses another folder, and --to another one in it for the skills: the lock remembers that, if its
last part is "skills". --global is for your own skills, in all projects: ~/.agents/skills, with a lock beside them.
The lock that another command keeps there is read, and never written.`

/** The help text about places, of the commands after `add`. */
export const PLACES_HELP = `
Skills and their lock are in the current folder unless --project, --to or --global say otherwise: "repertoire add --help".`

/** The help text about the exit code of commands that write. */
export const WRITE_EXIT_HELP = `
Exit code: 0; 1 if nothing was written for a reason that is said, or something was kept; 2 for a wrong command. Without
a terminal nobody can be asked: then --yes agrees, and without it nothing is written. All folders and the lock change
together, or nothing does.`

/** The help text about tokens. */
export const TOKEN_HELP = `
Tokens come from the environment alone: GH_TOKEN or GITHUB_TOKEN for github.com, GITLAB_TOKEN for gitlab.com, NPM_TOKEN
for the registry. They are sent to that host only, and are in no argument, no lock and no message.`

/** Adds `--project` and `--to`. */
export function addProjectOptions(command: Command): Command {
  return command
    .option('--project <folder>', 'the folder with skills-lock.json (default: the current one)')
    .option('--to <folder>', "where the project's skills are (default: as its lock says, or .agents/skills)")
    .option('-g, --global', 'your own skills, for all projects: ~/.agents/skills')
    .addOption(jsonOption())
}

/** Adds what commands that write have beside them. */
export function addWriteOptions(command: Command, force: string): Command {
  return addProjectOptions(command)
    .option('-n, --dry-run', 'show what would be done, and write nothing')
    .option('-y, --yes', 'agree to what is shown')
    .option('-f, --force', force)
}

/** Adds what commands that fetch have beside them. */
export function addFetchOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--timeout <seconds>', 'how long an origin may take (default: 120 s)').argParser((value) => {
        const seconds = Number(value)
        if (!(seconds > 0 && seconds <= 86_400))
          throw new InvalidArgumentError('Give a number of seconds, more than 0 and at most 86400.')
        return seconds * 1000
      }),
    )
    .option('--registry <url>', 'the npm registry')
    .addOption(
      repeatableOption('--allow-private <address>', 'an address or a range that is not public, and may be asked'),
    )
}

/** The project of a command. @throws {UsageError} --to leads out of it, or is given beside --global */
export function projectOf(flags: ProjectFlags, context: Context): ProjectOptions {
  const { project = '.', to, global: isGlobal = false } = flags
  const { folder } = context
  if (isGlobal) {
    if (flags.project === undefined && to === undefined) return { project: homeOf(context), user: true }
    throw new UsageError(
      '--global is for your own skills, and --project and --to for those of a project. Give one of both.',
    )
  }
  const root = resolve(folder, project)
  if (to === undefined) return { project: root }
  const way = relative(root, resolve(root, to))
  if (isAbsolute(way) || way.split(sep)[0] === '..') {
    throw new UsageError(`--to ${JSON.stringify(to)} leads out of the project. Choose the project with --project.`)
  }
  return { project: root, folder: way }
}

/** The options of origins. */
export function originOptions({ timeout, registry, allowPrivate }: FetchFlags): OriginOptions {
  return {
    ...(timeout !== undefined && { timeout }),
    ...(registry !== undefined && { registry }),
    ...(allowPrivate !== undefined && { allowPrivate }),
  }
}
