import { type Repertoire, type SkillSource, isSkillError } from '@repertoire/core'
import {
  type Configuration,
  type ConfigurationOptions,
  type ConfiguredHost,
  configuredSources,
  directorySource,
  loadConfiguration,
  openConfigured,
} from '@repertoire/core/node'
import { type Command, Option } from 'commander'
import { resolve } from 'node:path'
import type { Context } from '../context.ts'
import type { Finding } from '../finding.ts'
import { inspectPath, resolvePaths } from './path-arguments.ts'
import { RECURSIVE_SCAN } from './options.ts'
import { UsageError } from '../usage-error.ts'
import type { ViewerOptions } from './viewer.ts'

/** The options of every command that looks for skills. */
export interface SourceOptions extends Pick<ViewerOptions, 'contextWindow'> {
  /** The file of the configuration; false: none is read. */
  readonly config?: string | false | undefined
  readonly recursive?: true | undefined
}

/** What runs scripts and records, for a command that does. */
type CommandHost = Pick<ConfiguredHost, 'audit' | 'scripts'>

/** The skills that a command looks at. */
export interface OpenedSkills {
  readonly repertoire: Repertoire
  /** The configuration that it was opened with. */
  readonly configuration: Configuration
  readonly sources: readonly SkillSource[]
  /** What was found: about the folders of the command line, the configuration and the skills. */
  readonly findings: readonly Finding[]
  /** Those about folders and configuration alone. */
  readonly problems: readonly Finding[]
  /** Whether a folder of the command line cannot be searched: no error for a source, but one here. */
  readonly isRootLost: boolean
}

/** Adds the arguments and options that name the skills' folders. */
export function addSourceOptions(command: Command): Command {
  return addReadOptions(command.argument('[ROOT...]'))
}

/** Adds the options of `addSourceOptions` without its arguments. */
export function addReadOptions(command: Command): Command {
  return addConfigOptions(
    command.option('-r, --recursive', 'search all subfolders, hidden ones too, but never .git or node_modules'),
  )
}

/** Adds the options of every command that reads the configuration. The help only names them: few people need them. */
export function addConfigOptions(command: Command): Command {
  return command.addOption(new Option('--config <file>').hideHelp()).addOption(new Option('--no-config').hideHelp())
}

/**
 * Opens the skills as a host in the current folder would.
 * @throws {UsageError} if the configuration is invalid, or a ROOT or the name of its file is empty
 */
export async function openSkills(
  given: readonly string[],
  options: SourceOptions,
  context: Context,
  { watch = false, ...host }: CommandHost & { readonly watch?: boolean } = {},
): Promise<OpenedSkills> {
  const roots = resolvePaths(given, context.folder)
  const configuration = await configurationFor(options, context)
  // Without a ROOT, --recursive means all of the current folder, which is trusted as the project is.
  const isTrusted = roots.length > 0 || configuration.trustProject
  const searched = roots.length === 0 && options.recursive ? [context.folder] : roots
  const sources =
    searched.length === 0
      ? configuredSources(configuration)
      : searched.map((root) => rootSource(root, configuration, options, isTrusted))
  const repertoire = await openAdmitting(
    { ...configuration, ...NO_PLACES },
    { ...host, sources, watch, context: { window: options.contextWindow, summaries: false } },
  )
  const problems = roots.flatMap((root) => {
    const inspected = inspectPath(root)
    return 'problem' in inspected ? [inspected.problem] : []
  })
  // If the project's file was not read, the sources of its folders report it.
  const projectProblems = roots.length === 0 ? [] : configuration.diagnostics
  const findings = [...projectProblems, ...problems, ...repertoire.catalog.diagnostics].map((each) =>
    inCommand(each, configuration.files[0]),
  )
  const isLost = (finding: Finding): boolean => ROOT_PROBLEMS.has(finding.code) && roots.includes(finding.path)
  return {
    repertoire,
    configuration,
    sources,
    findings,
    problems: findings.filter((each, index) => index < projectProblems.length + problems.length || isLost(each)),
    isRootLost: findings.some(isLost),
  }
}

/**
 * Returns the configuration of the current folder. Command-line options take precedence.
 * @throws {UsageError} it is invalid, or the name of the file is empty
 */
async function configurationFor({ config }: SourceOptions, { folder, env }: Context): Promise<Configuration> {
  if (config === '') throw new UsageError('The name of the configuration file is empty. Name one, or give --no-config.')
  const file = typeof config === 'string' ? resolve(folder, config) : config
  const configuration = await load({ project: folder, env, file })
  return file === false ? { ...configuration, diagnostics: [] } : configuration
}

async function load(options: ConfigurationOptions): Promise<Configuration> {
  try {
    return await loadConfiguration(options)
  } catch (error) {
    if (!isSkillError(error) || error.code !== 'CONFIGURATION_INVALID') throw error
    const hint = error.path === undefined ? '' : ' Use --no-config to ignore the file.'
    throw new UsageError(error.message + hint, { code: error.code, cause: error })
  }
}

/** What to do about a finding in the command, if core names what only a program can do. */
const HINTS: Readonly<Partial<Record<Finding['code'], string>>> = {
  SKILL_FOLDER_LINKED: 'Put the folder itself there, or add "project" to "followLinks" in your configuration.',
  MANIFEST_LINKED:
    'Put the file itself into the folder, or link the whole folder and add "project" to "followLinks" in your configuration.',
  SCAN_DEPTH_REACHED: 'Move the skills up, or name a folder further down.',
  SCAN_FOLDERS_REACHED: 'Name folders further down instead.',
  WORKSPACE_UNTRUSTED: 'Look at it, and set "trustProject": true in your configuration if you trust it.',
}

/** @param file the user's configuration file, which a new user cannot know */
function inCommand(finding: Finding, file: string | undefined): Finding {
  const hint = HINTS[finding.code] ?? finding.hint
  return { ...finding, hint: hint?.replace('your configuration', file ?? 'your configuration') }
}

/** @throws {UsageError} if `admit` or what scripts are run with is wrong: all else was checked when it was read */
async function openAdmitting(configuration: Configuration, host: ConfiguredHost): Promise<Repertoire> {
  try {
    return await openConfigured(configuration, host)
  } catch (error) {
    if (!(error instanceof TypeError) || (configuration.admit === undefined && host.scripts === undefined)) throw error
    throw new UsageError(error.message.replace('openConfigured: `scripts.environment`', '--env'))
  }
}

const ROOT_PROBLEMS: ReadonlySet<string> = new Set([
  'PATH_NOT_FOUND',
  'PATH_UNREADABLE',
  'ROOT_NOT_A_FOLDER',
  'FOLDER_UNREADABLE',
])

/** The sources are passed separately. */
const NO_PLACES = {
  roots: { enterprise: [], personal: [], project: [], plugin: [], bundled: false },
  packages: false,
  diagnostics: [],
} as const satisfies Partial<Configuration>

/** A folder that the user names is trusted. */
function rootSource(
  root: string,
  { followLinks }: Configuration,
  { recursive }: SourceOptions,
  trusted: boolean,
): SkillSource {
  const look = recursive ? RECURSIVE_SCAN : {}
  const followsLinks = followLinks.includes('project')
  // The command itself says what is wrong with a folder that it was given.
  return directorySource({ root, layer: 'project', trusted, followLinks: followsLinks, optional: true, ...look })
}
