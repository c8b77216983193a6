import { afterAll, beforeAll, describe, test } from 'vitest'
import type { Check } from './check.ts'
import type { AdapterDriver } from './driver.ts'
import { type ModelEndpoint, openModelEndpoint } from './endpoint/endpoint.ts'
import { judge } from './judge.ts'
import type { Result } from './report/report.ts'
import { type CheckOptions, resolveOptions } from './run.ts'

export type { Result }

declare module 'vitest' {
  interface TaskMeta {
    /** The result of a check, for reporters; set on the tests that `describeConformance` declares. */
    conformance?: Result
  }
}

/**
 * Declares a vitest suite that judges an adapter: one test for each check, under the check's title. A check that is
 * not applicable is run and then skipped, one that is known to fail is run and has to fail; both carry their reason in
 * the title. A reporter finds the whole result in the test's `meta.conformance`.
 *
 * @throws {TypeError} for a driver, an id or an option that cannot be meant
 */
export function describeConformance(driver: AdapterDriver, options: CheckOptions = {}): void {
  const { checks, judging } = resolveOptions([driver], options)
  describe(`conformance of ${driver.name}`, () => {
    let endpoint: ModelEndpoint
    beforeAll(async () => {
      endpoint = await openModelEndpoint()
    })
    afterAll(() => endpoint.close())

    for (const check of checks) {
      // Each check has a deadline of its own, which says what it was waiting for.
      // oxlint-disable-next-line vitest/valid-title, vitest/expect-expect -- titles and judgement come from the checks
      test(titleOf(driver, check), { timeout: 0 }, async ({ skip, task }) => {
        const result = await judge(driver, check, { ...judging, endpoint })
        task.meta.conformance = result
        const { status, reason } = result
        if (status === 'n/a') skip(reason)
        if (status === 'fail') throw new Error(reason)
      })
    }
  })
}

function titleOf({ capabilities, known }: AdapterDriver, { id, title, needs = [] }: Check): string {
  for (const capability of needs) {
    // Own properties only, and possibly none: a driver may be written in JavaScript.
    const declared = Object.hasOwn(capabilities, capability) ? capabilities[capability] : true
    if (declared !== true) return `${title} (n/a: ${declared.absent})`
  }
  return known !== undefined && Object.hasOwn(known, id) ? `${title} (known: ${known[id]})` : title
}
