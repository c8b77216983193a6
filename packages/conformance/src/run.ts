import {
  type OptionTable,
  callable,
  checkOptions,
  foreign,
  listOf,
  number,
  required,
  text,
  withDefault,
} from '@repertoire/core/options'
import { runByHand } from './checks/by-hand/hand.ts'
import { type Check, isScenario } from './check.ts'
import { checks as allChecks } from './checks/index.ts'
import { DEFAULT_DEADLINE_MS, deadlineOption } from './deadline.ts'
import { checkDriver, chooseIds, refuseDuplicates } from './driver-rules.ts'
import { type AdapterDriver, isPresentIn, type Variant } from './driver.ts'
import { openModelEndpoint } from './endpoint/endpoint.ts'
import { reasonOf } from './failure.ts'
import { differences } from './oracle/compare.ts'
import { playScenario } from './oracle/play.ts'
import { referenceDriver } from './oracle/reference.ts'
import type { Run, Scenario } from './oracle/scenario.ts'
import type { Report, Result } from './report/report.ts'
import { chooseVariants, installedVariants } from './variants.ts'
import { type Found, type Played, verdict } from './verdict.ts'

const DEFAULT_CONCURRENCY = 4

/** How checks are run. */
export interface CheckOptions {
  /** The checks to run. Default: all that come with this package. */
  readonly checks?: readonly Check[] | undefined
  /** Ids of the checks to run. Default: all. */
  readonly only?: readonly string[] | undefined
  /**
   * How long a turn of a scenario, or a check by hand, may take, in milliseconds: a safety net for adapters that hang.
   * Default 30,000.
   */
  readonly deadline?: number | undefined
  /**
   * Chooses a variant of each adapter, in which all checks are run; in the others only the quick ones are. Default of
   * `runConformance`: none, all checks are run in all variants.
   */
  readonly seed?: number | undefined
}

/** How a run is set up. */
export interface RunOptions extends CheckOptions {
  readonly drivers: readonly AdapterDriver[]
  /** Called with every result, in no particular order. */
  readonly onResult?: ((result: Result) => void) | undefined
  /** How many checks run side by side. Default 4. */
  readonly concurrency?: number | undefined
}

/** The table of `CheckOptions`. */
export const CHECK_OPTIONS: OptionTable<CheckOptions> = {
  checks: foreign('a list of checks', Array.isArray),
  only: listOf(text, 'a list of ids of checks'),
  deadline: deadlineOption,
  seed: number('a seed', { from: 0, isWhole: true }),
}

const RUN_OPTIONS: OptionTable<RunOptions> = {
  ...CHECK_OPTIONS,
  drivers: required(foreign('a list of drivers', Array.isArray)),
  onResult: callable,
  concurrency: withDefault(DEFAULT_CONCURRENCY, number('checks', { from: 1, isWhole: true })),
}

/**
 * Runs every check of every adapter in every variant, against a scripted model on loopback. Resolves whatever the
 * adapters do: `unexpected(report)` returns the failures.
 *
 * @throws {TypeError} for an invalid driver, id or option, before anything runs
 */
export async function runConformance(options: RunOptions): Promise<Report> {
  checkOptions('runConformance', RUN_OPTIONS, options)
  const { onResult, concurrency = DEFAULT_CONCURRENCY } = options
  if (options.drivers.length === 0) throw new TypeError('There is no driver to check. Give at least one in "drivers".')
  const chosen = chooseChecks(options.drivers, options)
  const { drivers, leftOut } = await installedVariants(options.drivers)
  const jobs = drivers.flatMap((driver) => chosen.map((check) => ({ driver, check })))
  const results = new Map<(typeof jobs)[number], Result>()
  const runner = await openRunner(options)
  try {
    const waiting = [...jobs]
    const work = async (): Promise<void> => {
      for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
        const result = await runner.run(job.driver, job.check)
        results.set(job, result)
        try {
          onResult?.(result)
        } catch (error) {
          // The other workers finish their current job, and start no other.
          waiting.length = 0
          throw error
        }
      }
    }
    const ends = await Promise.allSettled(Array.from({ length: concurrency }, work))
    for (const end of ends) if (end.status === 'rejected') throw end.reason
  } finally {
    await runner.close()
  }
  return {
    adapters: drivers.map(({ name }) => name),
    checks: chosen.map(({ id, level, title, area }) => ({ id, level, title, area })),
    results: jobs.flatMap((job) => results.get(job) ?? []),
    ...(leftOut.length > 0 && { leftOut }),
  }
}

/**
 * Checks drivers and ids, and returns the checks to run.
 * @throws {TypeError} see `runConformance`
 */
export function chooseChecks(
  drivers: readonly AdapterDriver[],
  { checks = allChecks, only }: CheckOptions,
): readonly Check[] {
  const chosen = chooseIds(checks, only)
  // A driver may list what is known of this package's checks, even if the run uses other checks.
  for (const driver of drivers) checkDriver(driver, [...allChecks, ...checks])
  refuseDuplicates('drivers', drivers)
  return chosen
}

/** Runs checks one by one, with one endpoint. */
export interface Runner {
  /** Never rejects. */
  run(driver: AdapterDriver, check: Check): Promise<Result>
  close(): Promise<void>
}

/** The reference driver plays a scenario once for all adapters: for those whose sessions go on, and for others. */
const REFERENCES = { goOn: new WeakMap<Scenario, Promise<Run>>(), end: new WeakMap<Scenario, Promise<Run>>() }

/** Opens a model endpoint, and returns what runs checks with it. */
export async function openRunner({ deadline = DEFAULT_DEADLINE_MS, seed }: CheckOptions): Promise<Runner> {
  const endpoint = await openModelEndpoint()

  function referenceOf(scenario: Scenario, continues: boolean): Promise<Run> {
    const played = continues ? REFERENCES.goOn : REFERENCES.end
    const driver = referenceDriver(continues)
    const play = { driver, variant: driver.variants[0], endpoint, deadline: DEFAULT_DEADLINE_MS }
    const run = played.get(scenario) ?? playScenario(scenario, play)
    played.set(scenario, run)
    return run
  }

  async function findingsOf(check: Check, driver: AdapterDriver, variant: Variant): Promise<readonly Found[]> {
    const stage = { driver, variant, endpoint, deadline }
    try {
      if (!isScenario(check)) {
        await runByHand(check, stage)
        return []
      }
      const expected = await referenceOf(check, isPresentIn(driver, variant, 'continuation'))
      return differences(await playScenario(check, stage), expected, check)
    } catch (error) {
      return [{ ...(isScenario(check) && { aspect: 'ended' as const }), reason: reasonOf(error) }]
    }
  }

  return {
    async run(driver, check) {
      const played: Played[] = []
      // Variants share the adapter, and may not disturb each other.
      for (const variant of chooseVariants(driver, check, seed))
        played.push({ variant, found: await findingsOf(check, driver, variant) })
      return verdict(driver, check, played)
    },
    close: () => endpoint.close(),
  }
}
