import { realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { cwd, env as processEnv, platform } from 'node:process'
import { DEFAULT_LAYERS } from '../../catalog/precedence.ts'
import type { ConfigurationProblem } from '../../errors.ts'
import type { Diagnostic } from '../../ports/diagnostic.ts'
import { fromEnvironment } from './environment.ts'
import { readConfigurationFile } from './file.ts'
import { invalid, problemsOf } from './problem.ts'
import { narrowed, projectProblems } from './project.ts'
import type { Configuration, ConfigurationKey, ConfigurationOrigin, ConfigurationSettings } from './settings.ts'
import { keyed, withPaths } from './values.ts'
import type { Settled, Values } from './values.ts'
import { untrusted } from '../sources/scan-report.ts'
import { STANDARD_FOLDERS, WRITTEN_FOLDER, enterpriseFolders, homeFolder } from '../sources/standard-folders.ts'
import type { Environment } from '../sources/standard-folders.ts'

/** Options of `loadConfiguration`. */
export interface ConfigurationOptions {
  /** The project's folder. Its `.repertoire/config.json` is read if it is trusted. Default: none. */
  readonly project?: string | false
  /**
   * The user's own file; false: none. Default: what `REPERTOIRE_CONFIG` names, or else
   * `repertoire/repertoire.config.json` in `$XDG_CONFIG_HOME`, in `~/.config`, on Windows in `%APPDATA%`. A file that
   * was named must be there.
   */
  readonly file?: string | false
  /** The environment to read instead of the process's own. */
  readonly env?: Environment
  /** Goes before all else. */
  readonly overrides?: ConfigurationSettings
}

/**
 * Puts together the configuration. What stands lower goes first: defaults, the user's file, the project's file, the
 * environment (`REPERTOIRE_…`), `overrides`. The project's file is read only of a project that is trusted, and never
 * lets more in: it may set `enabled`, `profile`, `style`, `packages` and `roots.project`, each only to narrow.
 * @throws {SkillError} CONFIGURATION_INVALID, with everything that is wrong in `problems`
 */
export async function loadConfiguration(options: ConfigurationOptions = {}): Promise<Configuration> {
  const { env = processEnv, overrides = {} } = options
  const home = homeFolder(options.env)
  const project = options.project === undefined || options.project === false ? false : resolve(options.project)
  const problems: ConfigurationProblem[] = []
  const diagnostics: Diagnostic[] = []
  const settled = new Map<ConfigurationKey, Settled>()
  const set = (values: Values, origin: ConfigurationOrigin): void => {
    for (const [key, value] of values) settled.set(key, { value, origin })
  }

  const user = await userFile(options, env, home)
  const fileValues = user === undefined ? new Map() : await readSettings(user.path, 'follow', user.named, problems)
  const inFile = withPaths(fileValues, { base: user === undefined ? '' : dirname(user.path), home }, (problem) =>
    problems.push({ ...problem, ...(user !== undefined && { at: user.path }) }),
  )
  const inEnvironment = await environmentValues(env, home, problems)
  const inCode = await codeValues(overrides, home, problems)
  if (user !== undefined) set(inFile, { from: 'user', at: user.path })

  const trusted = [inCode, new Map([...inEnvironment].map(([key, { value }]) => [key, value])), inFile]
    .map((values) => values.get('trustProject'))
    .find((value) => value !== undefined)
  if (project !== false && problems.length === 0) {
    const path = projectFile(project)
    if (trusted === false) {
      if ((await readConfigurationFile(path, 'refuse')).state !== 'missing') diagnostics.push(untrusted(path))
    } else {
      const values = await readSettings(path, 'refuse', false, problems)
      for (const problem of projectProblems(values)) problems.push({ ...problem, at: path })
      const own = (key: ConfigurationKey): unknown => settled.get(key)?.value ?? PROJECT_DEFAULTS.get(key)
      if (problems.length === 0) set(narrowed(values, project, own), { from: 'project', at: path })
    }
  }
  for (const [key, value] of inEnvironment) settled.set(key, value)
  set(inCode, { from: 'code' })
  if (problems.length > 0) throw invalid(problems)
  const files = [...(user === undefined ? [] : [user.path]), ...(project === false ? [] : [projectFile(project)])]
  return complete(settled, { home, project, env, files, diagnostics })
}

function projectFile(project: string): string {
  return join(realOr(project), '.repertoire', 'config.json')
}

/** The defaults of what a project may narrow. */
const PROJECT_DEFAULTS: ReadonlyMap<ConfigurationKey, unknown> = new Map<ConfigurationKey, unknown>([
  ['enabled', true],
  ['profile', 'default'],
  ['style', 'xml'],
  ['packages', true],
])

async function userFile(
  { file }: ConfigurationOptions,
  env: Environment,
  home: string | false,
): Promise<{ readonly path: string; readonly named: boolean } | undefined> {
  if (file === false) return undefined
  const named = file ?? (env['REPERTOIRE_CONFIG'] || undefined)
  if (named !== undefined) return { path: resolve(named), named: true }
  const folder = configFolder(env, home)
  return folder === undefined ? undefined : { path: join(folder, 'repertoire', 'repertoire.config.json'), named: false }
}

/** XDG Base Directory Specification 0.8: a path that is not absolute is to be ignored. */
function configFolder(env: Environment, home: string | false): string | undefined {
  const given = platform === 'win32' ? env['APPDATA'] : env['XDG_CONFIG_HOME']
  if (given !== undefined && isAbsolute(given)) return given
  return home === false ? undefined : join(home, '.config')
}

async function readSettings(
  path: string,
  links: 'follow' | 'refuse',
  named: boolean,
  problems: ConfigurationProblem[],
): Promise<Map<ConfigurationKey, unknown>> {
  const file = await readConfigurationFile(path, links)
  if (file.state === 'missing') {
    if (named) problems.push({ key: '', at: path, message: 'is not there. Name a file that is, or none' })
    return new Map()
  }
  if (file.state === 'failed') {
    problems.push(file.problem)
    return new Map()
  }
  const { fileSchema } = await import('./schema.ts')
  const result = fileSchema.safeParse(file.value)
  if (result.success) return keyed(result.data)
  problems.push(...(await file.lined(problemsOf(result.error.issues, file.value, path))))
  return new Map()
}

async function environmentValues(
  env: Environment,
  home: string | false,
  problems: ConfigurationProblem[],
): Promise<Map<ConfigurationKey, Settled>> {
  const settled = new Map<ConfigurationKey, Settled>()
  const given = fromEnvironment(env)
  if (given.length === 0) return settled
  const { fileSchema } = await import('./schema.ts')
  // Each by itself, so that a problem is that of its variable.
  for (const { path, variable, value } of given) {
    const [first, second] = path
    const settings = { [first]: second === undefined ? value : { [second]: value } }
    const result = fileSchema.safeParse(settings)
    if (!result.success) {
      problems.push(...problemsOf(result.error.issues, settings, variable).map(({ problem }) => problem))
      continue
    }
    const values = withPaths(keyed(result.data), { home }, (problem) => problems.push({ ...problem, at: variable }))
    for (const [key, located] of values)
      settled.set(key, { value: located, origin: { from: 'environment', at: variable } })
  }
  return settled
}

async function codeValues(
  overrides: ConfigurationSettings,
  home: string | false,
  problems: ConfigurationProblem[],
): Promise<Values> {
  if (Object.keys(overrides).length === 0) return new Map()
  const { codeSchema } = await import('./schema.ts')
  const result = codeSchema.safeParse(overrides)
  if (result.success) return withPaths(keyed(result.data), { base: cwd(), home }, (problem) => problems.push(problem))
  problems.push(...problemsOf(result.error.issues, overrides).map(({ problem }) => problem))
  return new Map()
}

interface Surroundings {
  readonly home: string | false
  readonly project: string | false
  readonly env: Environment
  readonly files: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Every value, with the defaults where nothing was set. */
function complete(settled: ReadonlyMap<ConfigurationKey, Settled>, around: Surroundings): Configuration {
  const { home, project, env, files, diagnostics } = around
  const origins: Partial<Record<ConfigurationKey, ConfigurationOrigin>> = {}
  const value = <T>(key: ConfigurationKey, otherwise: T): T => {
    const found = settled.get(key)
    origins[key] = found?.origin ?? { from: 'default' }
    return found === undefined ? otherwise : (found.value as T)
  }
  const folders = value<readonly string[]>('folders', STANDARD_FOLDERS)
  const inside = (base: string | false): readonly string[] =>
    base === false ? [] : folders.map((name) => join(base, name))
  const listed = (key: ConfigurationKey, otherwise: readonly string[]): readonly string[] =>
    value<readonly string[] | false>(key, otherwise) || []
  const personal = listed('roots.personal', inside(home))
  const customRoot = settled.has('roots.personal') ? personal[0] : undefined
  const ownRoot = customRoot ?? (settled.has('roots.personal') || home === false ? false : join(home, WRITTEN_FOLDER))
  const bundled = value<readonly string[] | boolean>('roots.bundled', true)
  const optional = (key: 'listingBudget' | 'cacheTtl' | 'minReloadInterval'): object => {
    const found = value<unknown>(key, undefined)
    return found === undefined ? {} : { [key]: found }
  }
  return frozen({
    enabled: value('enabled', true),
    profile: value('profile', 'default'),
    style: value('style', 'xml'),
    ...optional('listingBudget'),
    layers: value('layers', DEFAULT_LAYERS),
    collision: value('collision', 'first'),
    roots: {
      enterprise: listed('roots.enterprise', enterpriseFolders(env)),
      personal,
      project: listed('roots.project', inside(project)),
      plugin: listed('roots.plugin', []),
      bundled,
    },
    writeRoot: value('writeRoot', ownRoot),
    folders,
    packages: value('packages', true),
    project,
    trustProject: value('trustProject', true),
    followLinks: value('followLinks', []),
    watch: value('watch', false),
    ...optional('cacheTtl'),
    ...optional('minReloadInterval'),
    files,
    origins: origins as Record<ConfigurationKey, ConfigurationOrigin>,
    diagnostics,
  })
}

/** The same values, copied and frozen all the way down: nothing of a caller's is frozen, and nothing here changes. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return Object.freeze(value.map((item: unknown) => frozen(item))) as T
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, frozen(inner)]))) as T
}

function realOr(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}
