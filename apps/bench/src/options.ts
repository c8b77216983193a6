import type { ListingStyle } from '@repertoire/core'
import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Context, UsageError } from 'repertoire/terminal'
import { type AdapterId, ADAPTERS } from './adapters/index.ts'
import { CONTESTANTS, type ContestantId } from './contestants/index.ts'
import { type EntryPoint, publishedEntries } from './measures/imports.ts'
import { LISTING_STYLES } from './measures/use.ts'

/** The parts that can be measured. */
export const PARTS = [
  'discovery',
  'prompt',
  'use',
  'search',
  'agents',
  'runners',
  'library',
  'stores',
  'imports',
  'soak',
] as const
type Part = (typeof PARTS)[number]

/** The options as commander parses them. */
export interface RawOptions {
  readonly quick?: true
  readonly check?: true
  readonly source?: true
  readonly json?: string
  readonly corpus?: string
  readonly sizes?: string
  readonly rounds?: string
  readonly only?: string
  readonly contestants?: string
  readonly styles?: string
  readonly entries?: string
  readonly patience?: string
  readonly adapters?: string
  readonly agentSizes?: string
  readonly minutes?: string
  readonly seed?: string
}

/** The checked options of a run. Times in milliseconds. */
export interface Options {
  readonly check: boolean
  readonly source: boolean
  /** The file for the JSON. */
  readonly json: string
  /** A folder with real skills somewhere below it; absent: `corpusAbsent` says why. */
  readonly corpus?: string
  readonly corpusAbsent?: string
  /** How many skills are generated, ascending. */
  readonly sizes: readonly number[]
  /** Rounds on the smallest tree; larger ones have fewer. */
  readonly rounds: number
  readonly parts: readonly Part[]
  readonly contestants: readonly ContestantId[]
  /** Those that are listed but not run, with the reason. */
  readonly leftOut: ReadonlyMap<ContestantId, string>
  /** Those on trees larger than the first. */
  readonly onLarge: readonly ContestantId[]
  readonly contestantBudget: number
  readonly budget: number
  readonly patience: number
  readonly sample: number
  readonly importRounds: number
  /** Processes of each contestant in which the first prompt is timed. */
  readonly promptRounds: number
  /** The styles of listing whose steps are timed. */
  readonly styles: readonly ListingStyle[]
  /** The published entries whose import is timed. */
  readonly entries: readonly EntryPoint[]
  /** Batches of calls that are timed in one process. */
  readonly batches: number
  readonly adapters: readonly AdapterId[]
  /** How many skills the agents have whose steps are timed, ascending. */
  readonly agentSizes: readonly number[]
  /** Runs of an agent in one process, and starts of a runner. */
  readonly agentRuns: number
  readonly runnerRuns: number
  /** How many skills are searched. */
  readonly searchedSkills: number
  /** Saves of a skill to an engine, first scans of all, and tenants. */
  readonly storeSaves: number
  readonly storeScans: number
  readonly storeTenants: number
  /** Writes, and reads of one skill, in one process of the library. */
  readonly libraryRuns: number
  /** How long the soak lasts behind its warm-up. */
  readonly minutes: number
  readonly seed: number
}

/** What a run measures where nothing else is said. `patience` in seconds. */
export const DEFAULTS = {
  sizes: '1000,10000,100000',
  agentSizes: '100,1000,10000',
  rounds: 7,
  patience: 10,
  minutes: 1,
  seed: 20_261_122,
} as const
const QUICK_MINUTES = 0.25

const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url))
const PACKAGES = join(REPOSITORY, 'packages')
const OWN: readonly ContestantId[] = ['floor', 'least', 'repertoire']
const TOO_SLOW: readonly ContestantId[] = ['skillTools']
const MAX_SKILLS = 200_000
const MAX_MINUTES = 1_440

/**
 * Checks all options before anything runs, and fills in their defaults.
 * @throws {UsageError} if one is invalid, with what to do about it
 */
export function resolveOptions(raw: RawOptions, { folder }: Pick<Context, 'folder'>): Options {
  const quick = raw.quick === true
  const source = raw.source === true
  if (!source && !existsSync(join(REPOSITORY, 'packages/core/dist/index.js'))) {
    throw new UsageError('The packages are not built. Run "npm run build" first, or measure the sources with --source.')
  }
  const contestants = contestantsOf(raw.contestants)
  const rounds = wholeNumber('--rounds', raw.rounds ?? (quick ? '3' : String(DEFAULTS.rounds)), 100)
  const leaveOut = quick && raw.contestants === undefined
  const contestantBudget = quick ? 1_500 : 10_000
  return {
    check: raw.check === true,
    source,
    json: raw.json === undefined ? join(REPOSITORY, 'apps/bench/results/latest.json') : resolve(folder, raw.json),
    ...corpusOf(raw.corpus, folder, quick),
    sizes: sizesOf(raw.sizes ?? (quick ? '1000,10000' : DEFAULTS.sizes)),
    rounds,
    parts: chosen('part', PARTS, raw.only),
    contestants: leaveOut ? contestants.filter((id) => !TOO_SLOW.includes(id)) : contestants,
    leftOut: new Map(leaveOut ? TOO_SLOW.map((id) => [id, 'left out by --quick: seconds a scan'] as const) : []),
    onLarge: leaveOut ? OWN : contestants,
    contestantBudget,
    budget: quick ? 300 : 1_000,
    patience: 1000 * wholeNumber('--patience', raw.patience ?? String(DEFAULTS.patience), 3_600),
    sample: quick ? 200 : 400,
    importRounds: raw.rounds === undefined ? (quick ? 9 : 21) : rounds,
    promptRounds: raw.rounds === undefined ? (quick ? 5 : 15) : rounds,
    styles: chosen('style', LISTING_STYLES, raw.styles),
    entries: entriesOf(raw.entries),
    batches: quick ? 4 : 40,
    adapters: chosen('adapter', Object.keys(ADAPTERS) as AdapterId[], raw.adapters),
    agentSizes: sizesOf(raw.agentSizes ?? (quick ? '100,1000' : DEFAULTS.agentSizes), '--agent-sizes'),
    agentRuns: quick ? 5 : 12,
    runnerRuns: quick ? 9 : 25,
    searchedSkills: quick ? 500 : 2_760,
    storeSaves: quick ? 100 : 500,
    storeScans: quick ? 3 : 7,
    storeTenants: quick ? 20 : 1_000,
    libraryRuns: quick ? 20 : 60,
    minutes: minutesOf(raw.minutes ?? String(quick ? QUICK_MINUTES : DEFAULTS.minutes)),
    seed: wholeNumber('--seed', raw.seed ?? String(DEFAULTS.seed), 2 ** 32 - 1),
  }
}

function corpusOf(raw: string | undefined, folder: string, quick: boolean): Pick<Options, 'corpus' | 'corpusAbsent'> {
  if (raw !== undefined) {
    const path = resolve(folder, raw)
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return { corpus: path }
    throw new UsageError(`${path} is not a folder. Name with --corpus one that has skills somewhere below it.`)
  }
  if (quick) return { corpusAbsent: 'left out by --quick; name a folder with --corpus' }
  const beside = join(REPOSITORY, '../shared/corpus/skills')
  return existsSync(beside)
    ? { corpus: beside }
    : { corpusAbsent: '../shared/corpus/skills is not beside the repository; name a folder with --corpus' }
}

function sizesOf(raw: string, option = '--sizes'): readonly number[] {
  const sizes = raw.split(',').map((size) => wholeNumber(option, size.trim(), MAX_SKILLS))
  return [...new Set(sizes)].toSorted((a, b) => a - b)
}

/** Those of some known names that an option names, in the order in which they are known. Without the option: all. */
function chosen<T extends string>(what: string, known: readonly T[], raw: string | undefined): readonly T[] {
  if (raw === undefined) return known
  const names = raw.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !(known as readonly string[]).includes(name))
  if (unknown !== undefined) throw new UsageError(`There is no ${what} "${unknown}". Known are: ${known.join(', ')}.`)
  return known.filter((each) => names.includes(each))
}

function entriesOf(raw: string | undefined): readonly EntryPoint[] {
  const published = publishedEntries(PACKAGES)
  const names = chosen(
    'entry',
    published.map(({ name }) => name),
    raw,
  )
  return published.filter(({ name }) => names.includes(name))
}

/** The floor is always included, since everything is compared with it. */
function contestantsOf(raw: string | undefined): readonly ContestantId[] {
  const all = Object.keys(CONTESTANTS) as ContestantId[]
  const names = chosen('contestant', all, raw)
  return all.filter((id) => id === 'floor' || names.includes(id))
}

function minutesOf(raw: string): number {
  const value = /^\d{1,4}(\.\d+)?$/.test(raw) ? Number(raw) : 0
  if (value > 0 && value <= MAX_MINUTES) return value
  throw new UsageError(`--minutes "${raw}" is not a number of minutes up to ${MAX_MINUTES}, such as 10 or 0.5.`)
}

function wholeNumber(option: string, raw: string, max: number): number {
  const value = /^\d{1,12}$/.test(raw) ? Number(raw) : 0
  if (value < 1 || value > max) {
    throw new UsageError(`${option} "${raw}" is not a whole number from 1 to ${max}.`)
  }
  return value
}
