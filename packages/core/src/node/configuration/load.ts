import { realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { cwd, env as processEnv, platform } from 'node:process'
import {
  type ConfigurationProblem,
  anything,
  recordOf,
  textOrOff,
  variables,
  checkOptions,
  type OptionTable,
  type Diagnostic,
} from '@repertoire/skill-md/internal'
import { untrusted } from '../sources/scan-report.ts'
import { type Environment, homeFolder } from '../sources/standard-folders.ts'
import {
  completeConfiguration,
  narrowValues,
  projectProblems,
  type OriginatedValue,
  resolvePaths,
  type Values,
  valuesByKey,
} from './values.ts'
import { misspelledVariables, readEnvironment } from './environment.ts'
import { readConfigurationFile } from './file.ts'
import { invalidConfiguration, problemsOf } from './problem.ts'
import type { Configuration, ConfigurationKey, ConfigurationOrigin, ConfigurationSettings } from './settings.ts'

/** Options of `loadConfiguration`. */
export interface ConfigurationOptions {
  /** The project's folder. Its `.repertoire/config.json` is read if the project is trusted. Default: none. */
  readonly project?: string | false | undefined
  /**
   * The user's own file; false: none. Default: what `REPERTOIRE_CONFIG` names, otherwise
   * `repertoire/repertoire.config.json` in `$XDG_CONFIG_HOME`, in `~/.config`, on Windows in `%APPDATA%`. A file that
   * is named must exist.
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
  overrides: recordOf(anything, 'an object of settings'),
}

/**
 * Loads the configuration. Later ones in this list take precedence: defaults, the user's file, the project's file, the
 * environment (`REPERTOIRE_…`), `overrides`. A project's file is read only if the project is trusted, and never permits
 * more: it may set `enabled`, `profile`, `style`, `packages` and `roots.project`, each only to narrow.
 * @throws {TypeError} an option is unknown or has the wrong type
 * @throws {SkillError} CONFIGURATION_INVALID, with everything that is wrong in `problems`
 */
export async function loadConfiguration(options: ConfigurationOptions = {}): Promise<Configuration> {
  checkOptions('loadConfiguration', CONFIGURATION_OPTIONS, options)
  const { env = processEnv, overrides = {} } = options
  const home = homeFolder(options.env)
  const project = options.project === undefined || options.project === false ? false : resolve(options.project)
  const problems: ConfigurationProblem[] = [...misspelledVariables(env)]
  const diagnostics: Diagnostic[] = []
  const values = new Map<ConfigurationKey, OriginatedValue>()
  const set = (added: Values, origin: ConfigurationOrigin): void => {
    for (const [key, value] of added) values.set(key, { value, origin })
  }

  const userFile = findUserFile(options, env, home)
  const fileValues = userFile === undefined ? new Map() : await userFileValues(userFile, home, problems)
  const environmentValues = await readEnvironmentValues(env, home, problems)
  const codeValues = await readCodeValues(overrides, home, problems)
  if (userFile !== undefined) set(fileValues, { from: 'user', at: userFile.path })

  const trustProject =
    codeValues.get('trustProject') ?? environmentValues.get('trustProject')?.value ?? fileValues.get('trustProject')
  if (project !== false && problems.length === 0) {
    const path = projectFile(project)
    if (trustProject === false) {
      if ((await readConfigurationFile(path, 'refuse')).state !== 'missing') diagnostics.push(untrusted(path))
    } else {
      const userValue = (key: ConfigurationKey): unknown => values.get(key)?.value ?? PROJECT_DEFAULTS.get(key)
      set(await projectFileValues(path, project, userValue, problems), { from: 'project', at: path })
    }
  }
  for (const [key, value] of environmentValues) values.set(key, value)
  set(codeValues, { from: 'code' })
  if (problems.length > 0) throw invalidConfiguration(problems)
  const files = [
    ...(userFile === undefined ? [] : [userFile.path]),
    ...(project === false ? [] : [projectFile(project)]),
  ]
  return completeConfiguration(values, { home, project, env, files, diagnostics })
}

function projectFile(project: string): string {
  return join(realPathOrSelf(project), '.repertoire', 'config.json')
}

/** The defaults of what a project may narrow. */
const PROJECT_DEFAULTS: ReadonlyMap<ConfigurationKey, unknown> = new Map<ConfigurationKey, unknown>([
  ['enabled', true],
  ['profile', 'default'],
  ['style', 'xml'],
  ['packages', true],
])

interface UserFile {
  readonly path: string
  /** Whether it was named in the options or the environment, and therefore must exist. */
  readonly isNamed: boolean
}

function findUserFile({ file }: ConfigurationOptions, env: Environment, home: string | false): UserFile | undefined {
  if (file === false) return undefined
  const named = file ?? (env['REPERTOIRE_CONFIG'] || undefined)
  if (named !== undefined) return { path: resolve(named), isNamed: true }
  const folder = configFolder(env, home)
  return folder === undefined
    ? undefined
    : { path: join(folder, 'repertoire', 'repertoire.config.json'), isNamed: false }
}

/** XDG Base Directory Specification 0.8: a path that is not absolute is to be ignored. */
function configFolder(env: Environment, home: string | false): string | undefined {
  const given = platform === 'win32' ? env['APPDATA'] : env['XDG_CONFIG_HOME']
  if (given !== undefined && isAbsolute(given)) return given
  return home === false ? undefined : join(home, '.config')
}

async function userFileValues(
  { path, isNamed }: UserFile,
  home: string | false,
  problems: ConfigurationProblem[],
): Promise<Values> {
  const values = await readFileValues(path, 'follow', isNamed, problems)
  return resolvePaths(values, { base: dirname(path), home }, (problem) => problems.push({ ...problem, at: path }))
}

/** The values of a project's file that narrow the user's. Empty if there are problems. */
async function projectFileValues(
  path: string,
  project: string,
  userValue: (key: ConfigurationKey) => unknown,
  problems: ConfigurationProblem[],
): Promise<Values> {
  const values = await readFileValues(path, 'refuse', false, problems)
  for (const problem of projectProblems(values)) problems.push({ ...problem, at: path })
  return problems.length > 0 ? new Map() : narrowValues(values, project, userValue)
}

async function readFileValues(
  path: string,
  links: 'follow' | 'refuse',
  mustExist: boolean,
  problems: ConfigurationProblem[],
): Promise<Map<ConfigurationKey, unknown>> {
  const file = await readConfigurationFile(path, links)
  if (file.state === 'missing') {
    if (mustExist) problems.push({ key: '', at: path, message: 'does not exist. Name an existing file, or none' })
    return new Map()
  }
  if (file.state === 'failed') {
    problems.push(file.problem)
    return new Map()
  }
  const { fileSchema } = await import('./schema.ts')
  const result = fileSchema.safeParse(file.value)
  if (result.success) return valuesByKey(result.data)
  problems.push(...(await file.withLines(await problemsOf(result.error.issues, file.value, path))))
  return new Map()
}

async function readEnvironmentValues(
  env: Environment,
  home: string | false,
  problems: ConfigurationProblem[],
): Promise<ReadonlyMap<ConfigurationKey, OriginatedValue>> {
  const read = new Map<ConfigurationKey, OriginatedValue>()
  const given = readEnvironment(env)
  if (given.length === 0) return read
  const { fileSchema } = await import('./schema.ts')
  // Each separately, so that a problem names its variable.
  for (const { path, variable, value } of given) {
    const [first, second] = path
    const settings = { [first]: second === undefined ? value : { [second]: value } }
    const result = fileSchema.safeParse(settings)
    if (!result.success) {
      problems.push(...(await problemsOf(result.error.issues, settings, variable)).map(({ problem }) => problem))
      continue
    }
    const values = resolvePaths(valuesByKey(result.data), { home }, (problem) =>
      problems.push({ ...problem, at: variable }),
    )
    for (const [key, resolved] of values)
      read.set(key, { value: resolved, origin: { from: 'environment', at: variable } })
  }
  return read
}

async function readCodeValues(
  overrides: ConfigurationSettings,
  home: string | false,
  problems: ConfigurationProblem[],
): Promise<Values> {
  if (Object.keys(overrides).length === 0) return new Map()
  const { codeSchema } = await import('./schema.ts')
  const result = codeSchema.safeParse(overrides)
  if (result.success)
    return resolvePaths(valuesByKey(result.data), { base: cwd(), home }, (problem) => problems.push(problem))
  problems.push(...(await problemsOf(result.error.issues, overrides)).map(({ problem }) => problem))
  return new Map()
}

function realPathOrSelf(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}
