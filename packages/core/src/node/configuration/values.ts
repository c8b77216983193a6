import { isAbsolute, join, resolve } from 'node:path'
import type { ConfigurationProblem } from '../../errors.ts'
import { pathProblem } from '../../resources/path.ts'
import type { ConfigurationKey, ConfigurationOrigin, ConfigurationSettings } from './settings.ts'

/** What one place sets, by key, paths made absolute. */
export type Values = ReadonlyMap<ConfigurationKey, unknown>

/** A value with where it came from. */
export interface Settled {
  readonly value: unknown
  readonly origin: ConfigurationOrigin
}

/** The settings of one place by their keys: those of `roots` each by itself, since places may set one each. */
export function keyed(settings: ConfigurationSettings): Map<ConfigurationKey, unknown> {
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

/** How the paths of one place are read. */
export interface PathRules {
  /** What a relative path is relative to. Absent: it must not be relative. */
  readonly base?: string
  readonly home: string | false
}

/**
 * The values with every path absolute.
 * @param fail told of each value whose path cannot be
 */
export function withPaths(
  values: Values,
  rules: PathRules,
  fail: (problem: Pick<ConfigurationProblem, 'key' | 'message'>) => void,
): Values {
  const located = new Map<ConfigurationKey, unknown>()
  for (const [key, value] of values) {
    const place = (path: string): string => {
      const { problem, absolute } = absolutePath(path, key, rules)
      if (problem !== undefined) fail({ key, message: problem })
      return absolute
    }
    const isList = key.startsWith('roots.') && Array.isArray(value)
    if (isList) located.set(key, (value as readonly string[]).map(place))
    else located.set(key, key === 'writeRoot' && typeof value === 'string' ? place(value) : value)
    if (key === 'folders') for (const name of value as readonly string[]) checkFolder(name, fail)
  }
  return located
}

function absolutePath(
  path: string,
  key: ConfigurationKey,
  { base, home }: PathRules,
): { readonly absolute: string; readonly problem?: string } {
  const inHome = /^~(?:[/\\]|$)/.test(path)
  if (inHome && home !== false) return { absolute: join(home, path.slice(1)) }
  if (inHome) return { absolute: path, problem: `takes no "${path}": this user has no home folder` }
  // Relative to a project, anyone could set the layer that goes before all others.
  if (isAbsolute(path) || (base !== undefined && key !== 'roots.enterprise')) {
    return { absolute: base === undefined ? resolve(path) : resolve(base, path) }
  }
  return { absolute: path, problem: `takes absolute paths, or such as begin with "~/", not "${path}"` }
}

function checkFolder(name: string, fail: (problem: Pick<ConfigurationProblem, 'key' | 'message'>) => void): void {
  const problem = pathProblem(name)
  if (problem !== undefined) {
    fail({ key: 'folders', message: `takes paths inside the home folder and a project, not "${name}": ${problem}` })
  }
}
