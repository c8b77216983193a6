import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { UsageError } from 'repertoire/terminal'
import { COMPARED_PARTS, type ComparedPart } from './comparisons.ts'
import { type ContestantId, CONTESTANTS } from './contestants/index.ts'

type Part = 'discovery' | 'prompt' | ComparedPart

/** The parts that can be measured. */
export const PARTS: readonly Part[] = ['discovery', 'prompt', ...(Object.keys(COMPARED_PARTS) as ComparedPart[])]

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
  /** How many skills agents have, and how many are searched. */
  readonly agents: readonly number[]
  readonly searched: number
  readonly seed: number
}

/** The defaults of a run. */
export const DEFAULTS = { sizes: '1000,100000', rounds: 5, seed: 20_261_122 } as const

const OPTIONS = {
  quick: { type: 'boolean' },
  check: { type: 'boolean' },
  json: { type: 'string' },
  source: { type: 'boolean' },
  sizes: { type: 'string' },
  rounds: { type: 'string' },
  contestants: { type: 'string' },
  only: { type: 'string' },
  seed: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url))
const MAX_SKILLS = 200_000

/**
 * Checks all options before anything runs, and fills in their defaults.
 * @param folder where relative paths start
 * @returns undefined if the help is wanted
 * @throws {UsageError} if one is invalid
 */
export function readOptions(args: readonly string[], folder: string): Options | undefined {
  const { help, quick = false, check = false, source = false, ...given } = parse(args)
  if (help === true) return undefined
  if (!source && !existsSync(join(REPOSITORY, 'packages/core/dist/index.js'))) {
    throw new UsageError('The packages are not built. Run "npm run build" first, or measure the sources with --source.')
  }
  const contestants = Object.keys(CONTESTANTS) as ContestantId[]
  const chosenContestants = chosen('contestant', contestants, given.contestants)
  return {
    check,
    source,
    json: given.json === undefined ? join(REPOSITORY, 'apps/bench/results/latest.json') : resolve(folder, given.json),
    sizes: sizesOf(given.sizes ?? (quick ? '1000,10000' : DEFAULTS.sizes)),
    rounds: wholeNumber('--rounds', given.rounds ?? (quick ? '2' : String(DEFAULTS.rounds)), 100),
    parts: chosen('part', PARTS, given.only),
    // Everything is compared with the floor.
    contestants: contestants.filter((id) => id === 'floor' || chosenContestants.includes(id)),
    budget: quick ? 200 : 500,
    agents: quick ? [100] : [100, 10_000],
    searched: quick ? 500 : 2_760,
    seed: wholeNumber('--seed', given.seed ?? String(DEFAULTS.seed), 2 ** 32 - 1),
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args, options: OPTIONS }).values
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UsageError(`${error.message}\nRun "npm run bench -- --help" for its options.`)
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
