import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Context, UsageError } from 'repertoire/terminal'
import { COMPARED_PARTS } from './comparisons.ts'
import { CONTESTANTS, type ContestantId } from './contestants/index.ts'

/** The parts that can be measured. */
export const PARTS = ['discovery', 'prompt', ...COMPARED_PARTS] as const
type Part = (typeof PARTS)[number]

/** The options as commander parses them. */
export interface RawOptions {
  readonly quick?: true
  readonly check?: true
  readonly source?: true
  readonly json?: string
  readonly sizes?: string
  readonly rounds?: string
  readonly only?: string
  readonly contestants?: string
  readonly patience?: string
  readonly seed?: string
}

/** The checked options of a run. Times in milliseconds. */
export interface Options {
  readonly check: boolean
  readonly source: boolean
  /** The file for the JSON. */
  readonly json: string
  /** How many skills are generated for discovery, ascending. */
  readonly sizes: readonly number[]
  /** Processes of each contestant and of each comparison. */
  readonly rounds: number
  readonly parts: readonly Part[]
  readonly contestants: readonly ContestantId[]
  /** For the repeated scans of one process. */
  readonly budget: number
  readonly patience: number
  /** How many skills agents have, and how many are searched. */
  readonly agents: readonly number[]
  readonly searched: number
  readonly seed: number
}

/** The defaults of a run. `patience` in seconds. */
export const DEFAULTS = { sizes: '1000,100000', rounds: 5, patience: 10, seed: 20_261_122 } as const

const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url))
const MAX_SKILLS = 200_000

/**
 * Checks all options before anything runs, and fills in their defaults.
 * @throws {UsageError} if one is invalid
 */
export function resolveOptions(raw: RawOptions, { folder }: Pick<Context, 'folder'>): Options {
  const quick = raw.quick === true
  const source = raw.source === true
  if (!source && !existsSync(join(REPOSITORY, 'packages/core/dist/index.js'))) {
    throw new UsageError('The packages are not built. Run "npm run build" first, or measure the sources with --source.')
  }
  const contestants = Object.keys(CONTESTANTS) as ContestantId[]
  const chosenContestants = chosen('contestant', contestants, raw.contestants)
  return {
    check: raw.check === true,
    source,
    json: raw.json === undefined ? join(REPOSITORY, 'apps/bench/results/latest.json') : resolve(folder, raw.json),
    sizes: sizesOf(raw.sizes ?? (quick ? '1000,10000' : DEFAULTS.sizes)),
    rounds: wholeNumber('--rounds', raw.rounds ?? (quick ? '2' : String(DEFAULTS.rounds)), 100),
    parts: chosen('part', PARTS, raw.only),
    // Everything is compared with the floor.
    contestants: contestants.filter((id) => id === 'floor' || chosenContestants.includes(id)),
    budget: quick ? 200 : 500,
    patience: 1000 * wholeNumber('--patience', raw.patience ?? String(DEFAULTS.patience), 3_600),
    agents: quick ? [100] : [100, 10_000],
    searched: quick ? 500 : 2_760,
    seed: wholeNumber('--seed', raw.seed ?? String(DEFAULTS.seed), 2 ** 32 - 1),
  }
}

function sizesOf(raw: string): readonly number[] {
  const sizes = raw.split(',').map((size) => wholeNumber('--sizes', size.trim(), MAX_SKILLS))
  return [...new Set(sizes)].toSorted((a, b) => a - b)
}

/** Returns the known names that an option lists, in their own order. Default: all. */
function chosen<T extends string>(what: string, known: readonly T[], raw: string | undefined): readonly T[] {
  if (raw === undefined) return known
  const names = raw.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !(known as readonly string[]).includes(name))
  if (unknown !== undefined) throw new UsageError(`There is no ${what} "${unknown}". Known are: ${known.join(', ')}.`)
  return known.filter((each) => names.includes(each))
}

function wholeNumber(option: string, raw: string, max: number): number {
  const value = /^\d{1,12}$/.test(raw) ? Number(raw) : 0
  if (value >= 1 && value <= max) return value
  throw new UsageError(`${option} "${raw}" is not a whole number from 1 to ${max}.`)
}
