import type { SkillSource } from '@repertoire/core'
import {
  type OptionTable,
  callable,
  checkOptions as checkByTable,
  foreign,
  listOf,
  number,
  oneOf,
  required,
  text,
  withDefault,
  withMethods,
} from '@repertoire/core/options'
import type { Check } from './check.ts'
import { checks as allChecks } from './checks/index.ts'
import { checkDriver, chooseChecks, refuseDuplicates } from './driver-rules.ts'
import type { AdapterDriver } from './driver.ts'
import { openModelEndpoint } from './endpoint/endpoint.ts'
import { fixtureSkills } from './fixture-skills.ts'
import { type CheckRunOptions, runCheck } from './run-check.ts'
import { knowable } from './oracle/known.ts'
import { installedVariants, VARIANTS_OF } from './variants-of.ts'
import type { Report, Result } from './report/report.ts'

/** The longest delay of a timer in Node. */
const MAX_DEADLINE_MS = 2 ** 31 - 1
const DEFAULT_DEADLINE_MS = 30_000
const DEFAULT_CONCURRENCY = 4

/** How checks are run. */
export interface CheckOptions {
  /** The checks to run. Default: all that come with this package. */
  readonly checks?: readonly Check[] | undefined
  /** Ids of the checks to run. Default: all. */
  readonly only?: readonly string[] | undefined
  /** The skills of every trial that names no sources. Default: the fixture skills. */
  readonly sources?: readonly SkillSource[] | undefined
  /**
   * How long a check may take in one variant, in milliseconds; then it fails with what it was waiting for. A
   * safety net for adapters that hang. Default 30,000.
   */
  readonly deadline?: number | undefined
  /**
   * `all`: every check runs in every variant. `each-protocol`: in one variant of each protocol and dialect, in another
   * with the next check. `by-turns`: in one variant, for the quick run while somebody works on an adapter. A check that the
   * driver itself lists as known, or that needs what it declares absent, runs until it fails in one. Default `all`.
   */
  readonly variants?: 'all' | 'each-protocol' | 'by-turns' | undefined
}

/** How a run is set up. */
export interface RunOptions extends CheckOptions {
  readonly drivers: readonly AdapterDriver[]
  /** Called with every result, in no particular order. */
  readonly onResult?: ((result: Result) => void) | undefined
  /** How many checks run side by side. Default 4. */
  readonly concurrency?: number | undefined
}

const CHECK_OPTIONS: OptionTable<CheckOptions> = {
  checks: listOf(withMethods('a check', 'run'), 'a list of checks'),
  only: listOf(text, 'a list of ids of checks'),
  sources: listOf(withMethods('a source of skills', 'scan'), 'a list of sources'),
  deadline: withDefault(DEFAULT_DEADLINE_MS, number('milliseconds', { above: 0, to: MAX_DEADLINE_MS })),
  variants: withDefault('all', oneOf(...Object.keys(VARIANTS_OF))),
}

const RUN_OPTIONS: OptionTable<RunOptions> = {
  ...CHECK_OPTIONS,
  drivers: required(foreign('a list of drivers', Array.isArray)),
  onResult: callable,
  concurrency: withDefault(DEFAULT_CONCURRENCY, number('checks', { from: 1, isWhole: true })),
}

/** Checked options, with their defaults filled in. */
interface ResolvedOptions {
  readonly checks: readonly Check[]
  readonly checkOptions: Omit<CheckRunOptions, 'endpoint'>
}

/**
 * Runs every check of every adapter in every variant, against a scripted model on loopback. Resolves whatever the
 * adapters do: `unexpected(report)` returns the failures.
 *
 * @throws {TypeError} for an invalid driver, id or option, before anything runs
 */
export async function runConformance(options: RunOptions): Promise<Report> {
  checkByTable('runConformance', RUN_OPTIONS, options)
  const { onResult, concurrency = DEFAULT_CONCURRENCY } = options
  if (options.drivers.length === 0) throw new TypeError('There is no driver to check. Give at least one in "drivers".')
  const { checks, checkOptions } = resolveOptions(options.drivers, options)
  const { drivers, leftOut } = await installedVariants(options.drivers)

  const jobs = drivers.flatMap((driver) => checks.map((check) => ({ driver, check })))
  const results = new Map<(typeof jobs)[number], Result>()
  const endpoint = await openModelEndpoint()
  try {
    const waiting = [...jobs]
    const work = async (): Promise<void> => {
      for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
        // A worker does one job at a time
        const result = await runCheck(job.driver, job.check, { ...checkOptions, endpoint })
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
    await endpoint.close()
  }
  return {
    adapters: drivers.map(({ name }) => name),
    checks: checks.map(({ id, level, title, area }) => ({ id, level, title, area })),
    results: jobs.flatMap((job) => results.get(job) ?? []),
    ...(leftOut.length > 0 && { leftOut }),
  }
}

/** Checks the options of `describeConformance`. @throws {TypeError} an option is unknown or has the wrong type */
export function checkSuiteOptions(options: unknown): void {
  checkByTable('describeConformance', CHECK_OPTIONS, options)
}

/**
 * Checks drivers and ids, and fills in the defaults of options.
 * @throws {TypeError} see `runConformance`
 */
export function resolveOptions(drivers: readonly AdapterDriver[], options: CheckOptions): ResolvedOptions {
  const { checks = allChecks, only, sources, deadline = DEFAULT_DEADLINE_MS, variants = 'all' } = options
  const chosen = chooseChecks(checks, only)
  // A driver may list known failures of this package's checks, even if the run uses other checks.
  for (const driver of drivers) checkDriver(driver, [...allChecks, ...checks, ...knowable()])
  refuseDuplicates(
    'drivers',
    drivers.map(({ name }) => name),
  )
  return {
    checks: chosen,
    checkOptions: {
      sources: sources ?? [fixtureSkills()],
      deadline,
      variantsOf: VARIANTS_OF[variants],
      endsAtFailure: variants === 'by-turns',
    },
  }
}
