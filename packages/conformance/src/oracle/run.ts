import {
  type OptionTable,
  callable,
  checkOptions,
  foreign,
  listOf,
  number,
  oneOf,
  required,
  text,
  withDefault,
} from '@repertoire/core/options'
import { chooseIds, refuseDuplicates, checkDriver } from '../driver-rules.ts'
import { type AdapterDriver, isPresentIn, type Variant } from '../driver.ts'
import { type ModelEndpoint, openModelEndpoint } from '../endpoint/endpoint.ts'
import { reasonOf } from '../failure.ts'
import type { Report, Result } from '../report/report.ts'
import { checks as allChecks } from '../checks/index.ts'
import { installedVariants, VARIANTS_OF } from '../variants-of.ts'
import { verdict } from '../verdict.ts'
import { ASPECTS } from './aspects.ts'
import { type Difference, differences } from './compare.ts'
import { knowable } from './known.ts'
import { playScenario } from './play.ts'
import { referenceDriver } from './reference.ts'
import type { AspectId, Run, Scenario } from './scenario.ts'
import { SCENARIOS } from './scenarios/index.ts'

/** How scenarios are played. */
export interface PlayOptions {
  readonly drivers: readonly AdapterDriver[]
  /** Default: all that come with this package. */
  readonly scenarios?: readonly Scenario[] | undefined
  /** Ids of the scenarios to play. Default: all. */
  readonly only?: readonly string[] | undefined
  /** See `CheckOptions.variants`. Default `all`. */
  readonly variants?: keyof typeof VARIANTS_OF | undefined
  /** How long a turn may take, in milliseconds. Default 30,000. */
  readonly deadline?: number | undefined
  /** How many scenarios are played side by side. Default 4. */
  readonly concurrency?: number | undefined
  /** Called with every row, in no particular order. */
  readonly onResult?: ((row: Row) => void) | undefined
}

/** A scenario that an adapter has played: a result with a cell for each aspect. */
export interface Row extends Result {
  readonly cells: { readonly [Id in AspectId]?: Cell }
}

/** `free`: the framework decides. `known`: the driver lists the difference. */
export type Cell = 'pass' | 'fail' | 'known' | 'free'

/** A report whose results are rows. */
export interface PlayReport extends Report {
  readonly results: readonly Row[]
}

const PLAY_OPTIONS: OptionTable<PlayOptions> = {
  drivers: required(foreign('a list of drivers', Array.isArray)),
  scenarios: foreign('a list of scenarios', Array.isArray),
  only: listOf(text, 'a list of ids of scenarios'),
  variants: withDefault('all', oneOf(...Object.keys(VARIANTS_OF))),
  deadline: withDefault(30_000, number('milliseconds', { above: 0 })),
  concurrency: withDefault(4, number('scenarios', { from: 1, isWhole: true })),
  onResult: callable,
}

/**
 * Plays every scenario with every adapter in every variant, and compares each run with that of the reference driver.
 * @throws {TypeError} for an invalid driver, id or option, before anything runs
 */
export async function playConformance(options: PlayOptions): Promise<PlayReport> {
  checkOptions('playConformance', PLAY_OPTIONS, options)
  const { scenarios = SCENARIOS, only, variants = 'all', deadline = 30_000, concurrency = 4, onResult } = options
  const chosen = chooseIds(scenarios, only)
  for (const driver of options.drivers) checkDriver(driver, [...allChecks, ...knowable(scenarios)])
  refuseDuplicates(
    'drivers',
    options.drivers.map(({ name }) => name),
  )
  const { drivers, leftOut } = await installedVariants(options.drivers)
  const jobs = drivers.flatMap((driver) => chosen.map((scenario) => ({ driver, scenario })))
  const rows = new Map<(typeof jobs)[number], Row>()
  const endpoint = await openModelEndpoint()
  try {
    const references = createReferences(endpoint, deadline)
    const waiting = [...jobs]
    const work = async (): Promise<void> => {
      for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
        const { driver, scenario } = job
        const played: Played[] = []
        for (const variant of VARIANTS_OF[variants](driver, asCheck(scenario))) {
          const difference = await compared(scenario, { driver, variant, endpoint, deadline }, references)
          played.push({ variant, found: difference })
        }
        const row = rowOf(driver, scenario, played)
        rows.set(job, row)
        onResult?.(row)
      }
    }
    await Promise.all(Array.from({ length: concurrency }, work))
  } finally {
    await endpoint.close()
  }
  return {
    adapters: drivers.map(({ name }) => name),
    checks: chosen.map((scenario) => ({ ...asCheck(scenario), area: scenario.area })),
    results: jobs.flatMap((job) => rows.get(job) ?? []),
    ...(leftOut.length > 0 && { leftOut }),
  }
}

interface Played {
  readonly variant: Variant
  readonly found: readonly Difference[]
}

type References = (scenario: Scenario, continues: boolean) => Promise<Run>

/** The runs of the reference driver, each played once. */
function createReferences(endpoint: ModelEndpoint, deadline: number): References {
  const runs = new Map<string, Promise<Run>>()
  return (scenario, continues) => {
    const key = `${scenario.id} ${continues}`
    const driver = referenceDriver(continues)
    const run = runs.get(key) ?? playScenario(scenario, { driver, variant: driver.variants[0], endpoint, deadline })
    runs.set(key, run)
    return run
  }
}

/** Plays a scenario, and returns how it differs. Never rejects. */
async function compared(
  scenario: Scenario,
  stage: Parameters<typeof playScenario>[1],
  references: References,
): Promise<readonly Difference[]> {
  try {
    const reference = await references(scenario, isPresentIn(stage.driver, stage.variant, 'continuation'))
    return differences(await playScenario(scenario, stage), reference, scenario)
  } catch (error) {
    return [{ aspect: 'ended', reason: reasonOf(error) }]
  }
}

/** What the rules of checks need of a scenario. */
function asCheck({ id, area, title, needs, level = 'MUST' }: Scenario) {
  return { id, area, title, needs, level, run: () => Promise.resolve() }
}

/** Sums up what a scenario was in all variants. Known differences are kept out of the verdict, and must be there. */
function rowOf(driver: AdapterDriver, scenario: Scenario, played: readonly Played[]): Row {
  const known = knownCells(driver, scenario, played)
  const isKnown = (variant: Variant, { aspect }: Difference): boolean =>
    [driver.known, variant.known].some((of) => of?.[`*/${aspect}`] !== undefined) ||
    known.some((each) => each.aspect === aspect && (each.variant === undefined || each.variant === variant.name))
  const outdated = known.filter(
    ({ aspect, variant }) =>
      !played.some(
        (each) =>
          (variant === undefined || each.variant.name === variant) &&
          each.found.some((found) => found.aspect === aspect),
      ),
  )
  const results = played.map(({ variant, found }) => {
    const left = found.filter((difference) => !isKnown(variant, difference))
    const reasons = [
      ...left.map(({ aspect, reason }) => `${aspect}: ${reason}`),
      ...outdated
        .filter((each) => each.variant === undefined || each.variant === variant.name)
        .map(({ aspect }) => `Listed as known, and is as core's. Remove "${scenario.id}/${aspect}" from \`known\`.`),
    ]
    return reasons.length === 0
      ? { variant: variant.name, passed: true }
      : { variant: variant.name, passed: false, reason: reasons.join('\n') }
  })
  const result = verdict(driver, asCheck(scenario), results)
  const cells = Object.fromEntries(
    ASPECTS.map(({ id }): [AspectId, Cell] => {
      if (Object.hasOwn(scenario.free ?? {}, id)) return [id, 'free']
      const found = played.flatMap((each) =>
        each.found.filter(({ aspect }) => aspect === id).map((difference) => isKnown(each.variant, difference)),
      )
      return [id, found.includes(false) ? 'fail' : found.includes(true) ? 'known' : 'pass']
    }),
  )
  const everywhere = [driver.known, ...played.map(({ variant }) => variant.known)].flatMap((of) =>
    ASPECTS.flatMap(({ id }) =>
      of?.[`*/${id}`] === undefined || cells[id] !== 'known' ? [] : `${id}: ${of[`*/${id}`]}`,
    ),
  )
  const reasons = [...new Set([...known.map(({ aspect, reason }) => `${aspect}: ${reason}`), ...everywhere])]
  if (result.status !== 'pass' || !Object.values(cells).includes('known')) return { ...result, cells }
  return { ...result, status: 'known', reason: reasons.join('\n'), cells }
}

/** The differences of a scenario that a driver lists, of itself or of the variants that were played. */
function knownCells(driver: AdapterDriver, { id }: Scenario, played: readonly Played[]) {
  const listed = (of: Pick<Variant, 'known'>, variant: string | undefined) =>
    ASPECTS.flatMap(({ id: aspect }) => {
      const reason = of.known?.[`${id}/${aspect}`]
      return reason === undefined ? [] : [{ aspect, reason, variant }]
    })
  return [...listed(driver, undefined), ...played.flatMap(({ variant }) => listed(variant, variant.name))]
}
