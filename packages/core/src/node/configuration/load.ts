import { existsSync, realpathSync } from 'node:fs'
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
import { fileNotRead } from '../sources/scan-report.ts'
import {
  type Environment,
  enterpriseFolders,
  homeFolder,
  STANDARD_FOLDERS,
  WRITTEN_FOLDER,
} from '../sources/standard-folders.ts'
import { type Configuration, type ConfigurationSettings, DEFAULTS, SETTINGS } from './settings.ts'

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
  const { env = process.env, overrides = {} } = options
  const home = homeFolder(options.env)
  const project = options.project === undefined || options.project === false ? false : resolve(options.project)
  const projectFile = project === false ? undefined : join(realPathOrSelf(project), '.repertoire', 'config.json')
  const userFile = options.file === undefined ? usersFile(env, home) : options.file && resolve(options.file)
  const hasProjectFile = projectFile !== undefined && existsSync(projectFile)
  const isProjects = hasProjectFile && options.file === undefined && overrides.trustProject === true
  const file = isProjects ? projectFile : userFile || undefined
  const read =
    file === undefined ? undefined : await readSettings(file, { home, mustExist: options.file !== undefined })
  const base = process.cwd()
  const code = withAbsolutePaths(overrides, { home, base, from: '`overrides`' })
  const given = {
    ...read,
    ...readSettingsOf(fromEnvironment(env), { home, base, from: 'the environment' }),
    ...code,
    ...((read?.roots ?? code.roots) && { roots: { ...read?.roots, ...code.roots } }),
  }
  return frozenCopy({
    ...complete(given, { home, project }),
    home,
    project,
    file: read === undefined ? undefined : file,
    files: [userFile, projectFile].filter((path) => typeof path === 'string'),
    given,
    diagnostics: hasProjectFile && file !== projectFile ? [fileNotRead(projectFile)] : [],
  })
}

function usersFile(env: Environment, home: string | false): string | undefined {
  // XDG Base Directory Specification 0.8: a path that is not absolute is to be ignored.
  const named = process.platform === 'win32' ? env['APPDATA'] : env['XDG_CONFIG_HOME']
  const folder = named !== undefined && isAbsolute(named) ? named : home && join(home, '.config')
  return folder ? join(folder, 'repertoire', 'repertoire.config.json') : undefined
}

async function readSettings(
  path: string,
  { home, mustExist }: { readonly home: string | false; readonly mustExist: boolean },
): Promise<ConfigurationSettings | undefined> {
  // A person's file often is a link, to a folder with all their settings.
  const file = await readJsonFile(realPathOrSelf(path))
  if (file.state === 'failed') throw invalid(`${path} ${file.problem}.`, path)
  if (file.state === 'read') return readSettingsOf(file.value, { home, base: dirname(path), from: path, path })
  if (mustExist) throw invalid(`${path} does not exist. Create it, or name another file.`, path)
  return undefined
}

function fromEnvironment(env: Environment): Readonly<Record<string, unknown>> {
  const { REPERTOIRE_ENABLED: enabled, REPERTOIRE_SKILLS_DIR: skillsDir } = env
  const flags = new Map([
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ])
  return {
    ...(enabled && { enabled: flags.get(enabled.toLowerCase()) ?? enabled }),
    ...(skillsDir && { skillsDir }),
  }
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
  const settings = Object.fromEntries(
    Object.entries(given).filter(([, setting]) => setting !== undefined),
  ) as ConfigurationSettings
  const absolute = <T>(folder: T): T | string => {
    if (typeof folder !== 'string') return folder
    if (!/^~(?:[/\\]|$)/.test(folder)) return resolve(base, folder)
    if (home === false) throw invalid(`${from}: "${folder}" leads nowhere, since this user has no home folder.`, path)
    return join(home, folder.slice(1))
  }
  const { roots, skillsDir, writeRoot, folders } = settings
  for (const folder of folders ?? []) {
    const problem = pathProblem(folder)
    if (problem === undefined) continue
    throw invalid(
      `${from}: \`folders\` takes paths inside the home folder and a project, not "${folder}": ${problem}.`,
      path,
    )
  }
  const located = Object.entries(roots ?? {}).map(([layer, list]) => [
    layer,
    Array.isArray(list) ? list.map(absolute) : list,
  ])
  return {
    ...settings,
    ...(roots && { roots: Object.fromEntries(located) as ConfigurationSettings['roots'] }),
    ...(skillsDir !== undefined && { skillsDir: absolute(skillsDir) }),
    ...(writeRoot !== undefined && { writeRoot: absolute(writeRoot) }),
  }
}

function complete(
  given: ConfigurationSettings,
  { home, project }: Pick<Configuration, 'home' | 'project'>,
): Omit<Configuration, 'home' | 'project' | 'files' | 'given' | 'diagnostics'> {
  const { roots = {}, skillsDir, folders = STANDARD_FOLDERS } = given
  const inside = (base: string | false): readonly string[] => (base ? folders.map((name) => join(base, name)) : [])
  const others = roots.personal ?? (skillsDir === undefined ? inside(home) : [])
  const personal = skillsDir === undefined ? others || [] : [...new Set([skillsDir, ...(others || [])])]
  const standard = home === false ? false : join(home, WRITTEN_FOLDER)
  const writeRoot = roots.personal === undefined ? standard : (personal[0] ?? false)
  return {
    ...DEFAULTS,
    ...given,
    roots: {
      enterprise: (roots.enterprise ?? enterpriseFolders()) || [],
      personal,
      project: (roots.project ?? inside(project)) || [],
      plugin: roots.plugin || [],
      bundled: roots.bundled ?? false,
    },
    folders,
    writeRoot: skillsDir ?? given.writeRoot ?? writeRoot,
  }
}

function invalid(message: string, path?: string): SkillError {
  return new SkillError('CONFIGURATION_INVALID', `The configuration is invalid. ${message}`, { path })
}

function realPathOrSelf(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}

/** A copy, since what the caller passed must not be frozen. */
function frozenCopy<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return Object.freeze(value.map((item: unknown) => frozenCopy(item))) as T
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, frozenCopy(inner)]))) as T
}
