import { isAbsolute, join, resolve } from 'node:path'
import {
  type ConfigurationProblem,
  PROFILES,
  type Profile,
  DEFAULT_LAYERS,
  type Diagnostic,
} from '@repertoire/skill-md/internal'
import { pathProblem } from '../../resources/path.ts'
import type { ConfigurationKey, ConfigurationOrigin, ConfigurationSettings, Configuration } from './settings.ts'
import { STANDARD_FOLDERS, WRITTEN_FOLDER, enterpriseFolders, type Environment } from '../sources/standard-folders.ts'

/** The values that one file, the environment or code sets, by key. */
export type Values = ReadonlyMap<ConfigurationKey, unknown>

/** A value with its origin. */
export interface OriginatedValue {
  readonly value: unknown
  readonly origin: ConfigurationOrigin
}

/** Settings by key, those of `roots` separately, since different origins may set different ones. */
export function valuesByKey(settings: ConfigurationSettings): Map<ConfigurationKey, unknown> {
  const values = new Map<ConfigurationKey, unknown>()
  for (const [key, value] of Object.entries(settings)) {
    if (value === undefined || key === '$schema') continue
    if (key === 'roots') {
      for (const [layer, folders] of Object.entries(value as object)) {
        if (folders !== undefined) values.set(`roots.${layer}` as ConfigurationKey, folders)
      }
    } else {
      values.set(key as ConfigurationKey, value)
    }
  }
  return values
}

/** Settings that are the path of one folder. */
const FOLDER_KEYS: ReadonlySet<ConfigurationKey> = new Set(['skillsDir', 'writeRoot'])

/** How relative paths are resolved. */
interface PathRules {
  /** The folder for relative paths. Absent: paths must be absolute. */
  readonly base?: string
  readonly home: string | false
}

/**
 * Makes every path absolute.
 * @param fail called with a problem for each path that cannot be resolved
 */
export function resolvePaths(
  values: Values,
  rules: PathRules,
  fail: (problem: Pick<ConfigurationProblem, 'key' | 'message'>) => void,
): Values {
  const resolved = new Map<ConfigurationKey, unknown>()
  for (const [key, value] of values) {
    const toAbsolute = (path: string): string => {
      const { problem, absolute } = absolutePath(path, key, rules)
      if (problem !== undefined) fail({ key, message: problem })
      return absolute
    }
    const isList = key.startsWith('roots.') && Array.isArray(value)
    if (isList) resolved.set(key, (value as readonly string[]).map(toAbsolute))
    else resolved.set(key, FOLDER_KEYS.has(key) && typeof value === 'string' ? toAbsolute(value) : value)
    if (key === 'folders') for (const name of value as readonly string[]) checkFolder(name, fail)
  }
  return resolved
}

function absolutePath(
  path: string,
  key: ConfigurationKey,
  { base, home }: PathRules,
): { readonly absolute: string; readonly problem?: string } {
  const isInHome = /^~(?:[/\\]|$)/.test(path)
  if (isInHome && home !== false) return { absolute: join(home, path.slice(1)) }
  if (isInHome) return { absolute: path, problem: `takes no "${path}": this user has no home folder` }
  // A path relative to a project would let the project set the layer with the highest precedence.
  if (isAbsolute(path) || (base !== undefined && key !== 'roots.enterprise')) {
    return { absolute: base === undefined ? resolve(path) : resolve(base, path) }
  }
  return { absolute: path, problem: `takes absolute paths, or paths that begin with "~/", not "${path}"` }
}

function checkFolder(name: string, fail: (problem: Pick<ConfigurationProblem, 'key' | 'message'>) => void): void {
  const problem = pathProblem(name)
  if (problem !== undefined) {
    fail({ key: 'folders', message: `takes paths inside the home folder and a project, not "${name}": ${problem}` })
  }
}

/**
 * What a project's file may set, each with a function that combines the user's value with the project's. The file may
 * come from a cloned repository, so no value in it permits more than would be permitted without it.
 */
const PROJECT_SETTINGS: ReadonlyMap<ConfigurationKey, (user: unknown, project: unknown) => unknown> = new Map([
  ['enabled', (user: unknown, project: unknown) => user === true && project === true],
  [
    'profile',
    (user: unknown, project: unknown) =>
      PROFILES.indexOf(project as Profile) < PROFILES.indexOf(user as Profile) ? project : user,
  ],
  ['style', (_user: unknown, project: unknown) => project],
  ['programs', (user: unknown, project: unknown) => (user === 'known' ? user : project)],
  ['ask', addRules],
  ['roots.project', narrowFolders],
  ['packages', narrowPackages],
])

/** More is asked about, and nothing less. */
function addRules(user: unknown, project: unknown): unknown {
  const before = (user ?? []) as readonly string[]
  const added = (project as readonly string[]).filter((rule) => !before.includes(rule))
  return added.length === 0 ? user : [...before, ...added]
}

/** If the user names folders, a project can remove some, but not add any. */
function narrowFolders(user: unknown, project: unknown): unknown {
  if (user === undefined || project === false) return project
  if (user === false) return false
  return (user as readonly string[]).filter((folder) => (project as readonly string[]).includes(folder))
}

function narrowPackages(user: unknown, project: unknown): unknown {
  if (user === false || project === true) return user
  if (user === true || project === false) return project
  return (project as readonly string[]).filter((name) => (user as readonly string[]).includes(name))
}

/** What a project's file sets although a project may not. */
export function projectProblems(values: Values): readonly Pick<ConfigurationProblem, 'key' | 'message'>[] {
  const problems: Pick<ConfigurationProblem, 'key' | 'message'>[] = []
  for (const [key, value] of values) {
    if (!PROJECT_SETTINGS.has(key)) {
      const allowed = [...PROJECT_SETTINGS.keys()].join(', ')
      problems.push({
        key,
        message: `is not a project's to set: it may set ${allowed}. Set it in your own configuration`,
      })
    } else if (key === 'roots.project' && Array.isArray(value)) {
      for (const path of value as readonly string[]) {
        const problem = pathProblem(path)
        if (problem !== undefined)
          problems.push({ key, message: `takes paths inside the project, not "${path}": ${problem}` })
      }
    }
  }
  return problems
}

/**
 * Combines the values of a project's file with the user's. Returns those that change something.
 * @param userValue the user's value of a key, or the default
 */
export function narrowValues(values: Values, project: string, userValue: (key: ConfigurationKey) => unknown): Values {
  const narrowed = new Map<ConfigurationKey, unknown>()
  for (const [key, value] of values) {
    const located =
      key === 'roots.project' && Array.isArray(value) ? value.map((path: string) => join(project, path)) : value
    const before = userValue(key)
    const after = PROJECT_SETTINGS.get(key)?.(before, located)
    if (after !== before) narrowed.set(key, after)
  }
  return narrowed
}

/** What a configuration depends on besides the values that were set. */
interface ConfigurationContext {
  readonly home: string | false
  readonly project: string | false
  readonly env: Environment
  readonly files: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Adds the defaults of everything that was not set. Returns a frozen configuration that shares nothing with its input. */
export function completeConfiguration(
  values: ReadonlyMap<ConfigurationKey, OriginatedValue>,
  { home, project, env, files, diagnostics }: ConfigurationContext,
): Configuration {
  const origins: Partial<Record<ConfigurationKey, ConfigurationOrigin>> = {}
  const value = <T>(key: ConfigurationKey, defaultValue: T): T => {
    const set = values.get(key)
    origins[key] = set?.origin ?? { from: 'default' }
    return set === undefined ? defaultValue : (set.value as T)
  }
  const folders = value<readonly string[]>('folders', STANDARD_FOLDERS)
  const foldersIn = (parent: string | false): readonly string[] =>
    parent === false ? [] : folders.map((name) => join(parent, name))
  const folderList = (key: ConfigurationKey, defaultValue: readonly string[]): readonly string[] =>
    value<readonly string[] | false>(key, defaultValue) || []
  const skillsDir = value<string | undefined>('skillsDir', undefined)
  const configured = folderList('roots.personal', skillsDir === undefined ? foldersIn(home) : [])
  const personal =
    skillsDir === undefined ? configured : [skillsDir, ...configured.filter((root) => root !== skillsDir)]
  const standardWriteRoot = home === false ? false : join(home, WRITTEN_FOLDER)
  const defaultWriteRoot = values.has('roots.personal') ? (personal[0] ?? false) : standardWriteRoot
  const bundled = value<readonly string[] | boolean>('roots.bundled', false)
  const optional = (
    key: 'listingBudget' | 'contextWindow' | 'search' | 'admit' | 'toolRoot' | 'cacheTtl' | 'minReloadInterval',
  ): object => {
    const set = value<unknown>(key, undefined)
    return set === undefined ? {} : { [key]: set }
  }
  return deepFrozenCopy({
    enabled: value('enabled', true),
    profile: value('profile', 'default'),
    style: value('style', 'xml'),
    ...optional('listingBudget'),
    ...optional('contextWindow'),
    ...optional('search'),
    ...optional('admit'),
    layers: value('layers', DEFAULT_LAYERS),
    collision: value('collision', 'first'),
    programs: value('programs', 'any'),
    ask: value('ask', []),
    roots: {
      enterprise: folderList('roots.enterprise', enterpriseFolders(env)),
      personal,
      project: folderList('roots.project', foldersIn(project)),
      plugin: folderList('roots.plugin', []),
      bundled,
    },
    toolMap: value('toolMap', {}),
    ...optional('toolRoot'),
    ...(skillsDir !== undefined && { skillsDir }),
    writeRoot: skillsDir ?? value('writeRoot', defaultWriteRoot),
    folders,
    packages: value('packages', true),
    home,
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

/** A copy, since what the caller passed must not be frozen. */
function deepFrozenCopy<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return Object.freeze(value.map((item: unknown) => deepFrozenCopy(item))) as T
  return Object.freeze(
    Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, deepFrozenCopy(inner)])),
  ) as T
}
