import type { OriginOptions, ProjectOptions, ScanOptions } from '@repertoire/library'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { homedir } from 'node:os'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import type { Context } from '../context.ts'
import { UsageError } from '../usage-error.ts'
import { jsonOption, readSeconds, repeatableOption } from './options.ts'

/** The home folder of the person who runs the command. */
function homeOf({ env }: Pick<Context, 'env'>): string {
  return env['HOME'] ?? env['USERPROFILE'] ?? homedir()
}

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
  readonly scan?: readonly string[]
  readonly scanOptional?: true
}

/** The options of commands that install what they fetch. */
export interface InstallFlags extends WriteFlags, FetchFlags {}

/** The help text about the exit code of commands that write. */
export const WRITE_EXIT_HELP =
  'Exit code: 0; 1 if the answer was no, or something was refused or kept, with the reason; 2 for a wrong command.'

/** `--to`, of commands that make the folder of the skills. */
export function toOption(): Option {
  return new Option('--to <folder>', 'the folder of its skills (default: that of its lock, or .agents/skills)')
}

/** Adds `--project` and `--global`. */
export function addProjectOptions(command: Command): Command {
  return command
    .option('--project <folder>', 'the folder with skills-lock.json (default: this one)')
    .option('-g, --global', 'your own skills, for all projects, in ~/.agents/skills')
    .addOption(jsonOption())
}

/** Adds what commands that write have beside them. */
export function addWriteOptions(command: Command, force: string): Command {
  return addProjectOptions(command)
    .option('-n, --dry-run', 'show what it would do, and write nothing')
    .option('-y, --yes', 'agree to what is shown; needed without a terminal')
    .option('-f, --force', force)
}

/** Adds the options of commands that fetch. */
export function addFetchOptions(command: Command): Command {
  return command
    .addOption(new Option('--timeout <seconds>').hideHelp().argParser(readSeconds))
    .addOption(new Option('--registry <url>').hideHelp())
    .addOption(repeatableOption('--allow-private <address>', '').hideHelp())
}

/** Adds the options of commands that install what they fetch. */
export function addInstallOptions(command: Command, force: string): Command {
  return addFetchOptions(addWriteOptions(command, force))
    .option('--scan <command>', 'first run this scanner on each skill; {path} is its folder', commandWords)
    .option('--scan-optional', 'install also if the scanner fails; its verdict holds')
}

/** The project of a command. @throws {UsageError} --to leads out of it, or is given beside --global */
export function projectOf(flags: ProjectFlags, context: Context): ProjectOptions {
  const { project = '.', to, global: isGlobal = false } = flags
  const { folder } = context
  if (isGlobal) {
    if (flags.project === undefined && to === undefined) return { project: homeOf(context), user: true }
    throw new UsageError('--global is for your own skills, and --project and --to for those of a project. Give one.')
  }
  const root = resolve(folder, project)
  if (to === undefined) return { project: root }
  const way = relative(root, resolve(root, to))
  if (isAbsolute(way) || way.split(sep)[0] === '..') {
    throw new UsageError(`--to ${JSON.stringify(to)} leads out of the project. Choose the project with --project.`)
  }
  if (way.split(sep).at(-1) !== 'skills') {
    throw new UsageError(`--to ${JSON.stringify(to)} is no folder for skills: the last part of its path is "skills".`)
  }
  return { project: root, folder: way }
}

/**
 * The scanner of `--scan`, or else of the user's own configuration, and never of a project's.
 * @throws {SkillError} CONFIGURATION_INVALID
 */
export async function scanOf(flags: FetchFlags, { env, folder }: Context): Promise<ScanOptions | undefined> {
  const { loadConfiguration } = await import('@repertoire/core/node')
  const [program = '', ...words] = flags.scan ?? []
  const isPath = /[/\\]/.test(program)
  const given = flags.scan && [isPath ? resolve(folder, program) : program, ...words]
  const command = given ?? (await loadConfiguration({ env })).scan
  return command && { command, optional: flags.scanOptional === true }
}

/** Splits a command at spaces, without a shell. */
function commandWords(command: string): readonly string[] {
  const words = command.trim().split(/\s+/)
  if (/["']/.test(command))
    throw new InvalidArgumentError('Write it without quotes. A word with a space goes into your configuration file.')
  if (!words.slice(1).some((word) => word.includes('{path}')))
    throw new InvalidArgumentError(
      'Write {path} where the scanner takes the folder, as in "skillspector scan {path} --format json".',
    )
  return words
}

/** The options of origins. */
export function originOptions({ timeout, registry, allowPrivate }: FetchFlags): OriginOptions {
  return { timeout, registry, allowPrivate }
}

/** The options of a plan that installs what a lock names. */
export async function lockedOptions(flags: InstallFlags, context: Context) {
  const { force = false } = flags
  return { ...projectOf(flags, context), force, origin: originOptions(flags), scan: await scanOf(flags, context) }
}
