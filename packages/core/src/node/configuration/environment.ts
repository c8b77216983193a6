import { distance } from 'fastest-levenshtein'
import type { ConfigurationProblem } from '@repertoire/skill-md/internal'
import { dividedPaths } from '../sources/standard-folders.ts'
import type { Environment } from '../sources/standard-folders.ts'

/** A value from an environment variable, with the setting that it is for. */
export interface EnvironmentValue {
  readonly path: readonly [string] | readonly ['roots', string]
  readonly variable: string
  readonly value: unknown
}

type Reader = (text: string) => unknown

/** Readers return a text that they cannot read unchanged: the schema then says what is expected. */
const word: Reader = (text) => text
const boolean: Reader = (text) => {
  const words = new Map([
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ])
  return words.get(text.toLowerCase()) ?? text
}
const number: Reader = (text) => (/^\d+(?:\.\d+)?$/.test(text) ? Number(text) : text)
const names: Reader = (text) =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
const booleanOr =
  (reader: Reader): Reader =>
  (text) =>
    typeof boolean(text) === 'boolean' ? boolean(text) : reader(text)
const falseOr =
  (reader: Reader): Reader =>
  (text) =>
    text === '' || text.toLowerCase() === 'false' ? false : reader(text)

const VARIABLES: readonly (readonly [variable: string, path: EnvironmentValue['path'], reader: Reader])[] = [
  ['REPERTOIRE_ENABLED', ['enabled'], boolean],
  ['REPERTOIRE_PROFILE', ['profile'], word],
  ['REPERTOIRE_STYLE', ['style'], word],
  ['REPERTOIRE_SEARCH', ['search'], word],
  ['REPERTOIRE_LAYERS', ['layers'], names],
  ['REPERTOIRE_COLLISION', ['collision'], word],
  ['REPERTOIRE_PROGRAMS', ['programs'], word],
  ['REPERTOIRE_ENTERPRISE_SKILLS', ['roots', 'enterprise'], falseOr(dividedPaths)],
  ['REPERTOIRE_PERSONAL_SKILLS', ['roots', 'personal'], falseOr(dividedPaths)],
  ['REPERTOIRE_PROJECT_SKILLS', ['roots', 'project'], falseOr(dividedPaths)],
  ['REPERTOIRE_PLUGIN_SKILLS', ['roots', 'plugin'], falseOr(dividedPaths)],
  ['REPERTOIRE_BUNDLED_SKILLS', ['roots', 'bundled'], booleanOr(dividedPaths)],
  ['REPERTOIRE_SKILLS_DIR', ['skillsDir'], word],
  ['REPERTOIRE_WRITE_ROOT', ['writeRoot'], falseOr(word)],
  ['REPERTOIRE_PACKAGES', ['packages'], booleanOr(names)],
  ['REPERTOIRE_TRUST_PROJECT', ['trustProject'], boolean],
  ['REPERTOIRE_FOLLOW_LINKS', ['followLinks'], names],
  ['REPERTOIRE_WATCH', ['watch'], boolean],
  ['REPERTOIRE_CONTEXT_WINDOW', ['contextWindow'], number],
  ['REPERTOIRE_CACHE_TTL', ['cacheTtl'], number],
  ['REPERTOIRE_MIN_RELOAD_INTERVAL', ['minReloadInterval'], number],
]

/** What the environment sets. An empty variable sets nothing, except one of folders: there it means none. */
export function readEnvironment(env: Environment): readonly EnvironmentValue[] {
  return VARIABLES.flatMap(([variable, path, reader]) => {
    const text = env[variable]
    if (text === undefined || (text === '' && path[0] !== 'roots')) return []
    return [{ path, variable, value: reader(text) }]
  })
}

const PREFIX = 'REPERTOIRE_'
const NAMES: readonly string[] = ['REPERTOIRE_CONFIG', ...VARIABLES.map(([variable]) => variable)]

/** Variables that are most likely misspelled. Any other `REPERTOIRE_…` may be a host's own. */
export function misspelledVariables(env: Environment): readonly ConfigurationProblem[] {
  return Object.keys(env).flatMap((key) => {
    if (!key.startsWith(PREFIX) || NAMES.includes(key)) return []
    const meant = NAMES.find((name) => distance(key, name) <= 2)
    if (meant === undefined) return []
    return [{ key, at: key, message: `is not a variable of the configuration. Did you mean "${meant}"?` }]
  })
}
