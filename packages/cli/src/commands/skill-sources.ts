import type { Diagnostic, Repertoire, SkillSource } from '@repertoire/core'
import {
  type Configuration,
  type ConfiguredHost,
  configuredSources,
  directorySource,
  openConfigured,
} from '@repertoire/core/node'
import type { Command } from 'commander'
import type { Context } from '../context.ts'
import type { Finding } from '../finding.ts'
import { type SettingOptions, configurationFor } from './configured.ts'
import { inspectPath, resolvePaths } from './path-arguments.ts'
import { RECURSIVE_SCAN, profileOption, repeatableOption } from './options.ts'
import { UsageError } from '../usage-error.ts'

/** The options of every command that looks for skills. */
export interface SourceOptions extends SettingOptions {
  readonly recursive?: true | undefined
}

/** What runs scripts, for a command that does. */
type ScriptHost = Pick<ConfiguredHost, 'scripts'>

/** The skills that a command looks at. */
export interface OpenedSkills {
  readonly repertoire: Repertoire
  /** The configuration that it was opened with. */
  readonly configuration: Configuration
  readonly sources: readonly SkillSource[]
  /** The folders named on the command line, absolute; empty if the configured folders are used. */
  readonly roots: readonly string[]
  /** Problems with those folders: a missing folder is not an error for a source, but it is one on the command line. */
  readonly problems: readonly Finding[]
}

/** The help text about folders. */
export const SOURCES_HELP = `
Without a ROOT, these places are searched, highest layer first, or those that the configuration names instead:
  enterprise  what REPERTOIRE_ENTERPRISE_SKILLS names, or the folder of this system that only an administrator can write
  personal    ~/.agents/skills, ~/.repertoire/skills and ~/.claude/skills
  project     the same folders in the current folder; with --recursive, all of the current folder
  plugin      the npm packages that package.json in the current folder names; not with --recursive
  bundled     nothing, unless the configuration asks for the skills that ship with repertoire
              (REPERTOIRE_BUNDLED_SKILLS=true)
Folders of other clients that hold skills are not searched: a hint says what to write to add them.
A ROOT has the layer "project". It may itself be a skill, or hold skills.

You see what a program in the current folder shows, because the same configuration is read: your own file, then
.repertoire/config.json of the current folder, then REPERTOIRE_… in the environment, and options override all three.
With a ROOT only that is searched, and the rest of the configuration applies: "enabled", profile, style, layers, budget, admit.
Your own file is repertoire/repertoire.config.json in $XDG_CONFIG_HOME or ~/.config (on Windows in %APPDATA%), or what
--config or REPERTOIRE_CONFIG names.`

/** Adds the arguments and options that name the skills' folders. */
export function addSourceOptions(command: Command): Command {
  return addReadOptions(
    command.argument('[ROOT...]', 'folders that hold skills (default: the places of the configuration)'),
  )
}

/** Adds the options of `addSourceOptions` without its arguments. */
export function addReadOptions(command: Command): Command {
  return command
    .option('-r, --recursive', 'search at any depth, in hidden folders too, but never in .git or node_modules')
    .option('--follow-links', 'follow links to folders too: you trust what they lead to')
    .addOption(profileOption('as configured, or "default"'))
    .addOption(repeatableOption('--admit <rule>', 'admit only skills that ask for no more than these rules'))
    .option('--config <file>', 'read this configuration file instead of your own')
    .option('--no-config', "read no configuration file, neither your own nor the project's")
}

/**
 * Opens the skills as a host in the current folder would. Undefined: the configuration is invalid, and stderr says why.
 * @throws {UsageError} if a ROOT or the name of the configuration file is empty, or `admit` contradicts itself
 */
export async function openSkills(
  given: readonly string[],
  options: SourceOptions,
  context: Context,
  { watch = false, ...host }: ScriptHost & { readonly watch?: boolean } = {},
): Promise<OpenedSkills | undefined> {
  const roots = resolvePaths(given, context.folder)
  const configuration = await configurationFor(options, context)
  if (configuration === undefined) return undefined
  const sources = withoutRepeats(
    roots.length === 0
      ? configuredPlaces(configuration, options, context)
      : roots.map((root) => rootSource(root, configuration, options)),
  )
  const repertoire = await openAdmitting(
    { ...configuration, ...NO_PLACES, ...(watch && { watch }) },
    // A server shows models a list; what a command prints is another one.
    { ...host, sources, listing: { prepare: watch } },
  )
  const problems = roots.flatMap((root) => {
    const inspected = inspectPath(root)
    return 'problem' in inspected ? [inspected.problem] : []
  })
  // If the project's file was not read, the sources of its folders report it.
  const projectProblems = roots.length === 0 ? [] : configuration.diagnostics
  return { repertoire, configuration, sources, roots, problems: [...projectProblems, ...problems] }
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

/** Whether a diagnostic means that a named folder cannot be read. */
export function isAboutRoot({ code, path }: Finding, roots: readonly string[]): boolean {
  return ROOT_PROBLEMS.has(code) && roots.includes(path)
}

/** What is wrong with the named folders and the configuration, without the findings about skills. */
export function sourceProblems({ problems, roots, repertoire }: OpenedSkills): readonly Finding[] {
  return [...problems, ...repertoire.catalog.diagnostics.filter((diagnostic) => isAboutRoot(diagnostic, roots))]
}

/** The sources are passed separately. */
const NO_PLACES = {
  roots: { enterprise: [], personal: [], project: [], plugin: [], bundled: false },
  packages: false,
  diagnostics: [],
} as const satisfies Partial<Configuration>

function configuredPlaces(
  configuration: Configuration,
  options: SourceOptions,
  { folder }: Context,
): readonly SkillSource[] {
  if (!options.recursive) return configuredSources(configuration)
  // Without its packages, since nothing in node_modules is searched.
  const places = configuredSources({ ...configuration, project: false })
  return [...places, rootSource(folder, configuration, options, configuration.trustProject)]
}

/** A folder that the user names is trusted by default. */
function rootSource(
  root: string,
  { followLinks }: Configuration,
  { recursive }: SourceOptions,
  trusted: boolean = true,
): SkillSource {
  const look = recursive ? RECURSIVE_SCAN : {}
  const followsLinks = followLinks.includes('project')
  // The command itself says what is wrong with a folder that it was given.
  return directorySource({ root, layer: 'project', trusted, followLinks: followsLinks, optional: true, ...look })
}

/**
 * Wraps sources, so that a folder which several of them reach is reported once, by the first. Otherwise a skill would
 * seem to shadow itself if one named folder lies in another.
 */
function withoutRepeats(sources: readonly SkillSource[]): readonly SkillSource[] {
  const folders = new Set<string>()
  const findings = new Set<string>()
  return sources.map((source) => ({
    id: source.id,
    layer: source.layer,
    // The command itself says where it found no skill.
    optional: true,
    scan: (visitor) =>
      source.scan({
        skill: (found) => {
          if (isNew(folders, found.folder.location)) visitor.skill(found)
        },
        diagnostic: (diagnostic) => {
          if (isNew(findings, keyOf(diagnostic))) visitor.diagnostic(diagnostic)
        },
      }),
  }))
}

function isNew(known: Set<string>, key: string): boolean {
  if (known.has(key)) return false
  known.add(key)
  return true
}

function keyOf({ code, path, line, message }: Diagnostic): string {
  return JSON.stringify([code, path, line, message])
}
