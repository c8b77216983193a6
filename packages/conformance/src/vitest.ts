import process from 'node:process'
import { checkOptions } from '@repertoire/core/options'
import { afterAll, beforeAll, describe, test } from 'vitest'
import type { Check } from './check.ts'
import { absentReason, type AdapterDriver } from './driver.ts'
import type { Result } from './report/report.ts'
import { CHECK_OPTIONS, type CheckOptions, chooseChecks, openRunner, type Runner } from './run.ts'
import { sampleOf } from './variants.ts'

export type { Result }

declare module 'vitest' {
  interface TaskMeta {
    /** The result of a check in every variant, for reporters; set on the tests that `describeConformance` declares. */
    conformance?: Result
  }
}

/**
 * Declares a vitest suite that checks an adapter: one test for each check, under the check's title. A check that is
 * not applicable is run and then skipped, one that is known to fail is run and has to fail; both carry their reason in
 * the title. A reporter finds the result in the test's `meta.conformance`, if the check ran in every variant.
 *
 * With `CI` set, every check runs in every variant. Otherwise only the quick ones do, and the others run in one
 * variant, which the title of the suite names with the seed that chose it.
 *
 * @throws {TypeError} for an invalid driver, id or option
 */
export function describeConformance(driver: AdapterDriver, options: CheckOptions = {}): void {
  checkOptions('describeConformance', CHECK_OPTIONS, options)
  const chosen = chooseChecks([driver], options)
  const inAll = process.env['CI'] !== undefined && options.seed === undefined
  const seed = inAll ? undefined : (options.seed ?? Math.floor(Math.random() * 1_000))
  const where = seed === undefined ? 'in all variants' : `in "${sampleOf(driver, seed).name}", seed ${seed}`
  describe(`conformance of ${driver.name} ${where}`, () => {
    let runner: Runner
    beforeAll(async () => {
      runner = await openRunner({ ...options, seed })
    })
    afterAll(() => runner.close())

    for (const check of chosen) {
      // Each check has its own deadline, whose error says what it was waiting for.
      // oxlint-disable-next-line vitest/valid-title, vitest/expect-expect -- titles and assertions come from the checks
      test(titleOf(driver, check), { timeout: 0 }, async ({ skip, task }) => {
        const result = await runner.run(driver, check)
        if (result.variants?.length === driver.variants.length) task.meta.conformance = result
        const { status, reason } = result
        if (status === 'n/a') skip(reason)
        if (status === 'fail') throw new Error(seed === undefined ? reason : `${reason}\nThe seed was ${seed}.`)
      })
    }
  })
}

function titleOf({ capabilities, known }: AdapterDriver, { id, title, needs = [] }: Check): string {
  const why = needs.flatMap((name) => absentReason(capabilities[name]) ?? [])
  if (why.length > 0) return `${title} (n/a: ${why.join('; ')})`
  return known?.[id] === undefined ? title : `${title} (known: ${known[id]})`
}
