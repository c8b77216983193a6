import { existsSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import {
  checkOptions,
  SkillError,
  tableOf,
  textOrOff,
  variables,
  type OptionTable,
} from '@repertoire/skill-md/internal'
import { pathProblem } from '../../resources/path.ts'
import { readJsonFile } from '../folder/reading.ts'
import { realOrResolved } from '../sources/report-sources.ts'
import { fileNotRead } from '../sources/scan-report.ts'
import {
  type Environment,
  enterpriseFolders,
  homeFolder,
  STANDARD_FOLDERS,
  WRITTEN_FOLDER,
} from '../sources/standard-folders.ts'
import { type Configuration, type ConfigurationSettings, type ConfiguredRoots, DEFAULTS, SETTINGS } from './settings.ts'

/** Options of `loadConfiguration`. */
export interface ConfigurationOptions {
  /**
   * The project's folder. Its `.repertoire/config.json` is read in place of the user's file if `overrides` has
   * `trustProject: true`. Default: none.
   */
  readonly project?: string | false | undefined
  /**
   * The file to read, which must exist; false: none. Default: `repertoire/repertoire.config.json` in
   * `$XDG_CONFIG_HOME`, in `~/.config`, on Windows in `%APPDATA%`.
   */
  readonly file?: string | false | undefined
  /** The environment to read instead of the process's own. */
  readonly env?: Environment | undefined
  /** Take precedence over everything else. */
  readonly overrides?: ConfigurationSettings | undefined
}

const CONFIGURATION_OPTIONS: OptionTable<ConfigurationOptions> = {
  project: textOrOff,
  file: textOrOff,
  env: variables,
  overrides: tableOf(SETTINGS),
}

/**
 * Loads the configuration from one file. `REPERTOIRE_ENABLED` and `REPERTOIRE_SKILLS_DIR` take precedence over the
 * file, and `overrides` over both.
 * @throws {TypeError} an option is unknown or has the wrong type
 * @throws {SkillError} CONFIGURATION_INVALID: the file or a setting is wrong, `path` names the file
 * @example
 * const configuration = await loadConfiguration({ project: process.cwd() })
 * const repertoire = await openConfigured(configuration)
 */
export async function loadConfiguration(options: ConfigurationOptions = {}): Promise<Configuration> {
  checkOptions('loadConfiguration', CONFIGURATION_OPTIONS, options)
  const { env = process.env, overrides = {}, file: named } = options
  const home = homeFolder(options.env)
  const project = options.project ? resolve(options.project) : false
  const userFile = named === undefined ? usersFile(env, home) : named && resolve(named)
  const projectFile = project && join(realOrResolved(project), '.repertoire', 'config.json')
  const hasProjectFile = projectFile && existsSync(projectFile)
  const isProjects = hasProjectFile && named === undefined && overrides.trustProject === true
  const file = isProjects ? projectFile : userFile
  const read = file ? await readSettings(file, { home, mustExist: named !== undefined }) : undefined
  if (isProjects && read?.scan !== undefined) {
    throw invalid(
      `${projectFile} sets \`scan\`, which only your own file may: ${userFile || 'there is none'}.`,
      projectFile,
    )
  }
  const base = process.cwd()
  const code = withAbsolutePaths(overrides, { home, base, from: '`overrides`' })
  const given = {
    ...read,
    ...readSettingsOf(fromEnvironment(env), { home, base, from: 'the environment' }),
    ...code,
    ...((read?.roots ?? code.roots) && { roots: { ...read?.roots, ...code.roots } }),
  }
  return {
    ...complete(given, { home, project }),
    home,
    project,
    file: (read && file) || undefined,
    files: [userFile, projectFile].filter((path) => typeof path === 'string'),
    given,
    diagnostics: hasProjectFile && file !== projectFile ? [fileNotRead(projectFile)] : [],
  }
}

function usersFile(env: Environment, home: string | false): string | false {
  // XDG Base Directory Specification 0.8: a path that is not absolute is to be ignored.
  const named = process.platform === 'win32' ? env['APPDATA'] : env['XDG_CONFIG_HOME']
  const folder = isAbsolute(named ?? '') ? named! : home && join(home, '.config')
  return folder && join(folder, 'repertoire', 'repertoire.config.json')
}

async function readSettings(
  path: string,
  { home, mustExist }: { readonly home: string | false; readonly mustExist: boolean },
): Promise<ConfigurationSettings | undefined> {
  // A person's file often is a link, to a folder with all their settings.
  const file = readJsonFile(realOrResolved(path))
  if (file.state === 'failed') throw invalid(`${path} ${file.problem}.`, path)
  if (file.state === 'read') return readSettingsOf(file.value, { home, base: dirname(path), from: path, path })
  if (mustExist) throw invalid(`${path} does not exist. Create it, or name another file.`, path)
  return undefined
}

const FLAGS: ReadonlyMap<string | undefined, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

/** An empty variable counts as none. */
function fromEnvironment(env: Environment): Readonly<Record<string, unknown>> {
  const { REPERTOIRE_ENABLED: enabled, REPERTOIRE_SKILLS_DIR: skillsDir } = env
  return { enabled: FLAGS.get(enabled?.toLowerCase()) ?? (enabled || undefined), skillsDir: skillsDir || undefined }
}

/** What settings are read with: where relative paths start, and what a message names. */
interface SettingsPlace {
  readonly home: string | false
  readonly base: string
  readonly from: string
  /** The file. Absent: they do not come from one. */
  readonly path?: string
}

/** Checks settings that code has not given, and makes their paths absolute. */
function readSettingsOf(value: unknown, place: SettingsPlace): ConfigurationSettings {
  try {
    checkOptions(place.from, SETTINGS, value)
  } catch (error) {
    throw invalid((error as TypeError).message, place.path)
  }
  return withAbsolutePaths(value as ConfigurationSettings, place)
}

function withAbsolutePaths(
  given: ConfigurationSettings,
  { home, base, from, path }: SettingsPlace,
): ConfigurationSettings {
  const absolute = <T>(folder: T): T | string => {
    if (typeof folder !== 'string') return folder
    if (!/^~(?:[/\\]|$)/.test(folder)) return resolve(base, folder)
    if (home === false) throw invalid(`${from}: "${folder}" leads nowhere, since this user has no home folder.`, path)
    return join(home, folder.slice(1))
  }
  const { roots, skillsDir, scan, folders = [] } = given
  const wrong = folders.find((folder) => pathProblem(folder) !== undefined)
  if (wrong !== undefined) {
    const what = `\`folders\` takes paths inside the home folder and a project, not "${wrong}"`
    throw invalid(`${from}: ${what}: ${pathProblem(wrong)}.`, path)
  }
  if (scan !== undefined && !scan.slice(1).some((word) => word.includes('{path}'))) {
    const example = '["skillspector", "scan", "{path}", "--format", "json"]'
    throw invalid(`${from}: \`scan\` is a program and its arguments, one of them with {path}: ${example}.`, path)
  }
  const located = Object.entries(roots ?? {}).map(([layer, list]) => [
    layer,
    Array.isArray(list) ? list.map(absolute) : list,
  ])
  const settings = {
    ...given,
    roots: roots && (Object.fromEntries(located) as ConfiguredRoots),
    skillsDir: absolute(skillsDir),
    // A name without a slash is looked for on PATH.
    scan: scan?.map((word, index) => (index === 0 && /[/\\]/.test(word) ? absolute(word) : word)),
  }
  return Object.fromEntries(
    Object.entries(settings).filter(([, setting]) => setting !== undefined),
  ) as ConfigurationSettings
}

function complete(
  given: ConfigurationSettings,
  { home, project }: Pick<Configuration, 'home' | 'project'>,
): Omit<Configuration, 'home' | 'project' | 'files' | 'given' | 'diagnostics'> {
  const { roots = {}, skillsDir, folders = STANDARD_FOLDERS } = given
  const inside = (base: string | false): readonly string[] => (base ? folders.map((name) => join(base, name)) : [])
  const personal =
    skillsDir === undefined
      ? chosen(roots.personal, inside(home))
      : [...new Set([skillsDir, ...chosen(roots.personal, [])])]
  const writeRoot = roots.personal === undefined ? home && join(home, WRITTEN_FOLDER) : (personal[0] ?? false)
  return {
    ...DEFAULTS,
    ...given,
    roots: {
      enterprise: chosen(roots.enterprise, enterpriseFolders()),
      personal,
      project: chosen(roots.project, inside(project)),
      plugin: chosen(roots.plugin, []),
      bundled: roots.bundled ?? false,
    },
    folders,
    writeRoot: skillsDir ?? writeRoot,
  }
}

function chosen(named: readonly string[] | false | undefined, usual: readonly string[]): readonly string[] {
  return (named ?? usual) || []
}

function invalid(message: string, path?: string): SkillError {
  return new SkillError('CONFIGURATION_INVALID', `The configuration is invalid. ${message}`, { path })
}
