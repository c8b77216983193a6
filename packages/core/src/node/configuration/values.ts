import { isAbsolute, join, resolve } from 'node:path'
import type { ConfigurationProblem } from '../../errors.ts'
import { pathProblem } from '../../resources/path.ts'
import type { ConfigurationKey, ConfigurationOrigin, ConfigurationSettings } from './settings.ts'

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
export interface PathRules {
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
