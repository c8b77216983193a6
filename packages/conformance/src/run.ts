import type { SkillSource } from '@repertoire/core'
import type { Check } from './check.ts'
import { checks as allChecks } from './checks/index.ts'
import { checkDriver, chooseChecks, refuseDuplicates } from './driver-rules.ts'
import type { AdapterDriver } from './driver.ts'
import { openModelEndpoint } from './endpoint/endpoint.ts'
import { installedVariants } from './installed-variants.ts'
import { fixtureSkills } from './fixture-skills.ts'
import { runCheck, type CheckRunOptions } from './run-check.ts'
import { everyVariant, oneByTurns, oneOfEachProtocol } from './variants.ts'
import type { Report, Result } from './report/report.ts'

/** The longest delay of a timer in Node. */
const MAX_DEADLINE_MS = 2 ** 31 - 1
const DEFAULT_DEADLINE_MS = 30_000
const DEFAULT_CONCURRENCY = 4
const VARIANTS_OF = { all: everyVariant, 'each-protocol': oneOfEachProtocol, 'by-turns': oneByTurns }

/** How checks are run. */
export interface CheckOptions {
  /** Default: all that come with this package. */
  readonly checks?: readonly Check[]
  /** Ids of the checks to run. Default: all. */
  readonly only?: readonly string[]
  /** The skills of every trial that names no sources. Default: the fixture skills. */
  readonly sources?: readonly SkillSource[]
  /**
   * How long a check may take in one variant, in milliseconds; then it fails with what it was waiting for. A
   * safety net for adapters that hang. Default 30,000.
   */
  readonly deadline?: number
  /**
   * `all`: every check runs in every variant. `each-protocol`: in one variant of each protocol and dialect, in another
   * with the next check. `by-turns`: in one variant, for the quick run while somebody works on an adapter. A check that is
   * known to fail or needs what is absent still runs in all. Default `all`.
   */
  readonly variants?: 'all' | 'each-protocol' | 'by-turns'
}

/** How a run is set up. */
export interface RunOptions extends CheckOptions {
  readonly drivers: readonly AdapterDriver[]
  /** Called with every result, in no particular order. */
  readonly onResult?: (result: Result) => void
  /** How many checks run side by side. Default 4. */
  readonly concurrency?: number
}

/** Checked options, with their defaults filled in. */
export interface ResolvedOptions {
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
  const { onResult, concurrency = DEFAULT_CONCURRENCY } = options
  if (options.drivers.length === 0) throw new TypeError('There is no driver to check. Give at least one in "drivers".')
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw new TypeError(`"concurrency" is ${concurrency}. Give a whole number from 1.`)
  }
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

/**
 * Checks options and fills in their defaults.
 * @throws {TypeError} see `runConformance`
 */
export function resolveOptions(drivers: readonly AdapterDriver[], options: CheckOptions): ResolvedOptions {
  const { checks = allChecks, only, sources, deadline = DEFAULT_DEADLINE_MS, variants = 'all' } = options
  if (!(deadline > 0 && deadline <= MAX_DEADLINE_MS)) {
    throw new TypeError(`"deadline" is ${deadline}. Give milliseconds, from 1 to ${MAX_DEADLINE_MS}.`)
  }
  if (!Object.hasOwn(VARIANTS_OF, variants)) {
    throw new TypeError(`"variants" is ${JSON.stringify(variants)}. Give "all", "each-protocol" or "by-turns".`)
  }
  const chosen = chooseChecks(checks, only)
  // A driver may list known failures of this package's checks, even if the run uses other checks.
  for (const driver of drivers) checkDriver(driver, [...allChecks, ...checks])
  refuseDuplicates(
    'drivers',
    drivers.map(({ name }) => name),
  )
  return {
    checks: chosen,
    checkOptions: { sources: sources ?? [fixtureSkills()], deadline, variantsOf: VARIANTS_OF[variants] },
  }
}
