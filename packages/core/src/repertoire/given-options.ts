import type { RepertoireOptions } from './options.ts'

/**
 * Every option, and what of it is kept as it is when a repertoire is opened: `data` is copied, where it is made of plain
 * lists and tables; what is `own` stays the host's.
 */
const OPTIONS: { readonly [Name in keyof RepertoireOptions]-?: 'data' | 'own' } = {
  // A program may add one, for the next reload.
  sources: 'own',
  profile: 'own',
  layers: 'data',
  collision: 'own',
  watch: 'data',
  minReloadInterval: 'own',
  loadTimeout: 'own',
  embedder: 'own',
  now: 'own',
  admit: 'data',
  enabled: 'own',
  policy: 'data',
  mode: 'own',
  composition: 'own',
  tools: 'data',
  toolRoot: 'own',
  toolNames: 'data',
  stateKey: 'own',
  style: 'own',
  listingBudget: 'data',
  sectionContent: 'own',
  search: 'own',
  prepareList: 'own',
  contextWindow: 'own',
  window: 'data',
  countTokens: 'own',
  cacheTtl: 'own',
  runner: 'own',
  scripts: 'data',
  hooks: 'own',
  hookTimeout: 'own',
  toolsets: 'data',
  mounts: 'own',
  audit: 'own',
}

/** Options of earlier versions, which would silently have no effect, with what is said of them. */
export const FORMER_OPTIONS: Readonly<Record<string, string>> = {
  toolArguments:
    "`toolArguments` is `tools` now, and says what a tool stands for as well: { runCommand: { as: 'Bash', argument: 'cmd' } }.",
}

/** Data in data in data: more than any option holds. */
const MAX_DEPTH = 5

/**
 * Returns the options as they are now, wherever the caller's object has each of them from. What opens a repertoire is
 * imported first, or waits for something: what a program changes in its objects meanwhile, as one does that opens the
 * repertoires of several tenants with one policy, is not for this one.
 */
export function givenOptions(options: RepertoireOptions): RepertoireOptions {
  if (typeof options !== 'object' || options === null) return { sources: options }
  const names = [...Object.keys(OPTIONS), ...Object.keys(FORMER_OPTIONS)].filter((name) => name in options)
  const given = names.map((name): [string, unknown] => {
    const value = options[name as keyof RepertoireOptions] as unknown
    return [name, OPTIONS[name as keyof RepertoireOptions] === 'data' ? copied(value, 0) : value]
  })
  return Object.fromEntries(given) as unknown as RepertoireOptions
}

function copied(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value
  if (Array.isArray(value)) return value.map((item) => copied(item, depth + 1))
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && prototype !== Object.prototype) return value
  const entries = Object.entries(value)
  // What has functions works with what else it has, and stays one object.
  if (depth > 0 && entries.some(([, part]) => typeof part === 'function')) return value
  return Object.fromEntries(entries.map(([name, part]) => [name, copied(part, depth + 1)]))
}
