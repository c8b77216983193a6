import { join } from 'node:path'
import type { ConfigurationProblem } from '../../errors.ts'
import { PROFILES } from '../../manifest/index.ts'
import { pathProblem } from '../../resources/path.ts'
import type { Profile } from '../../ports/manifest.ts'
import type { ConfigurationKey } from './settings.ts'
import type { Values } from './values.ts'

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
