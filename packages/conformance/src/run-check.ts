import type { SkillSource } from '@repertoire/core'
import { openBench } from './bench.ts'
import type { Check } from './check.ts'
import { LATE, within } from './deadline.ts'
import type { AdapterDriver, Variant } from './driver.ts'
import type { ModelEndpoint } from './endpoint/endpoint.ts'
import { reasonOf } from './failure.ts'
import { hintFor } from './hint.ts'
import type { Result, VariantResult } from './report/report.ts'
import { verdict } from './verdict.ts'

/** How long the trials of a check may take to end. */
const MAX_CLOSE_MS = 5_000

/** What running a check needs. */
export interface CheckRunOptions {
  readonly endpoint: ModelEndpoint
  readonly sources: readonly SkillSource[]
  /** How long a check may take in one variant, in milliseconds. */
  readonly deadline: number
  /** The variants that a check runs in. */
  readonly variantsOf: (driver: AdapterDriver, check: Check) => readonly Variant[]
}

/** Runs one check of one adapter in its variants, one after the other. Never rejects. */
export async function runCheck(driver: AdapterDriver, check: Check, options: CheckRunOptions): Promise<Result> {
  const variants: VariantResult[] = []
  for (const variant of options.variantsOf(driver, check)) {
    // Variants share the adapter, and may not disturb each other
    variants.push(await runVariant(driver, check, variant, options))
  }
  return verdict(driver, check, variants)
}

async function runVariant(
  driver: AdapterDriver,
  check: Check,
  variant: Variant,
  { endpoint, sources, deadline }: CheckRunOptions,
): Promise<VariantResult> {
  const opened = openBench({ driver, variant, endpoint, sources })
  const reasons: string[] = []
  try {
    const running = (async () => check.run(opened.bench))()
    if ((await within(deadline, running)) === LATE) {
      // What it waits for is read before closing changes it; the check itself is no longer awaited.
      running.catch(() => {})
      reasons.push(lateText(deadline, opened.waiting()))
    }
  } catch (error) {
    reasons.push(reasonOf(error))
  }
  for (const { at, text } of await opened.close(Math.min(deadline, MAX_CLOSE_MS))) {
    // Errors of SDKs often repeat what the endpoint has already reported.
    if (reasons.some((reason) => reason.includes(text))) continue
    reasons.push(at === undefined ? text : `${at}: ${text}`)
  }
  if (reasons.length === 0) return { variant: variant.name, passed: true }
  const hint = hintFor(check.area, reasons[0] ?? '')
  if (hint !== undefined) reasons.push(hint)
  return { variant: variant.name, passed: false, reason: reasons.join('\n') }
}

function lateText(deadline: number, waiting: readonly string[]): string {
  const what = waiting.length === 0 ? 'the check itself, since no trial was doing anything' : waiting.join(', ')
  return `The check did not end within ${deadline / 1000} s. It was waiting for: ${what}.`
}
