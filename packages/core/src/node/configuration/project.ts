import { join } from 'node:path'
import type { ConfigurationProblem } from '../../errors.ts'
import { PROFILES } from '../../manifest/index.ts'
import { pathProblem } from '../../resources/path.ts'
import type { Profile } from '../../ports/manifest.ts'
import type { ConfigurationKey } from './settings.ts'
import type { Values } from './values.ts'

/**
 * What a project's file may set, each with what becomes of it beside the user's own value. It comes with whatever was
 * cloned, so nothing in it lets more in than there would be without it.
 */
const MAY_SET: ReadonlyMap<ConfigurationKey, (own: unknown, wanted: unknown) => unknown> = new Map([
  ['enabled', (own: unknown, wanted: unknown) => own === true && wanted === true],
  [
    'profile',
    (own: unknown, wanted: unknown) =>
      PROFILES.indexOf(wanted as Profile) < PROFILES.indexOf(own as Profile) ? wanted : own,
  ],
  ['style', (_own: unknown, wanted: unknown) => wanted],
  ['roots.project', narrowedFolders],
  ['packages', narrowedPackages],
])

/** Where the user names folders, a project can take some away, and add none. */
function narrowedFolders(own: unknown, wanted: unknown): unknown {
  if (own === undefined || wanted === false) return wanted
  if (own === false) return false
  return (own as readonly string[]).filter((folder) => (wanted as readonly string[]).includes(folder))
}

function narrowedPackages(own: unknown, wanted: unknown): unknown {
  if (own === false || wanted === true) return own
  if (own === true || wanted === false) return wanted
  return (wanted as readonly string[]).filter((name) => (own as readonly string[]).includes(name))
}

/** What is wrong with the values of a project's file, as what a project sets. */
export function projectProblems(values: Values): readonly Pick<ConfigurationProblem, 'key' | 'message'>[] {
  const problems: Pick<ConfigurationProblem, 'key' | 'message'>[] = []
  for (const [key, value] of values) {
    if (!MAY_SET.has(key)) {
      const allowed = [...MAY_SET.keys()].join(', ')
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
 * A project's values beside the user's own, where they change something.
 * @param own the user's own value of a key, the default if there is none
 */
export function narrowed(values: Values, project: string, own: (key: ConfigurationKey) => unknown): Values {
  const narrower = new Map<ConfigurationKey, unknown>()
  for (const [key, value] of values) {
    const located =
      key === 'roots.project' && Array.isArray(value) ? value.map((path: string) => join(project, path)) : value
    const mine = own(key)
    const result = MAY_SET.get(key)?.(mine, located)
    if (result !== mine) narrower.set(key, result)
  }
  return narrower
}
