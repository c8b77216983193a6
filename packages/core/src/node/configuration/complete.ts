import { join } from 'node:path'
import { DEFAULT_LAYERS, type Diagnostic } from '@repertoire/skill-md/internal'
import { STANDARD_FOLDERS, WRITTEN_FOLDER, enterpriseFolders } from '../sources/standard-folders.ts'
import type { Environment } from '../sources/standard-folders.ts'
import type { Configuration, ConfigurationKey, ConfigurationOrigin } from './settings.ts'
import type { OriginatedValue } from './values.ts'

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
    tools: value('tools', {}),
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
