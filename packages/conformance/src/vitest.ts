import { afterAll, beforeAll, describe, test } from 'vitest'
import type { Check } from './check.ts'
import { absentReason, type AdapterDriver } from './driver.ts'
import { type ModelEndpoint, openModelEndpoint } from './endpoint/endpoint.ts'
import { runCheck } from './run-check.ts'
import type { Result } from './report/report.ts'
import { type CheckOptions, checkSuiteOptions, resolveOptions } from './run.ts'

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
 * @throws {TypeError} for an invalid driver, id or option
 */
export function describeConformance(driver: AdapterDriver, options: CheckOptions = {}): void {
  checkSuiteOptions(options)
  const { checks, checkOptions } = resolveOptions([driver], options)
  describe(`conformance of ${driver.name}`, () => {
    let endpoint: ModelEndpoint
    beforeAll(async () => {
      endpoint = await openModelEndpoint()
    })
    afterAll(() => endpoint.close())

    for (const check of checks) {
      // Each check has its own deadline, whose error says what it was waiting for.
      // oxlint-disable-next-line vitest/valid-title, vitest/expect-expect -- titles and assertions come from the checks
      test(titleOf(driver, check), { timeout: 0 }, async ({ skip, task }) => {
        const result = await runCheck(driver, check, { ...checkOptions, endpoint })
        if (result.variants?.length === driver.variants.length) task.meta.conformance = result
        const { status, reason } = result
        if (status === 'n/a') skip(reason)
        if (status === 'fail') throw new Error(reason)
      })
    }
  })
}

function titleOf({ capabilities, known }: AdapterDriver, { id, title, needs = [] }: Check): string {
  for (const capability of needs) {
    // Only own properties count, and one may be missing: a driver may be written in JavaScript.
    const why = Object.hasOwn(capabilities, capability) ? absentReason(capabilities[capability]) : undefined
    if (why !== undefined) return `${title} (n/a: ${why})`
  }
  return known !== undefined && Object.hasOwn(known, id) ? `${title} (known: ${known[id]})` : title
}
