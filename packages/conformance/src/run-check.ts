import type { SkillSource } from '@repertoire/core'
import { openBench } from './bench.ts'
import type { Check, CheckArea } from './check.ts'
import { LATE, within } from './deadline.ts'
import type { AdapterDriver, Variant } from './driver.ts'
import type { ModelEndpoint } from './endpoint/endpoint.ts'
import { reasonOf } from './failure.ts'
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
  /** Runs no further variant after one has failed. */
  readonly endsAtFailure: boolean
}

/** Runs one check of one adapter in its variants, one after the other. Never rejects. */
export async function runCheck(driver: AdapterDriver, check: Check, options: CheckRunOptions): Promise<Result> {
  const variants: VariantResult[] = []
  for (const variant of options.variantsOf(driver, check)) {
    // Variants share the adapter, and may not disturb each other
    const result = await runVariant(driver, check, variant, options)
    variants.push(result)
    if (options.endsAtFailure && !result.passed) break
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

const CALL = '`call` around every tool'

/** What an adapter must do for each group of checks. */
const PARTS: Readonly<Record<CheckArea, string>> = {
  listing: '`beginStep` before every model call, and the view that it returns',
  activation: CALL,
  resources: CALL,
  scripts: `${CALL} with the run's signal, and the tools of the view, which come and go`,
  execution: `${CALL}, \`ready\` before every \`beginStep\`, and the tools of the view with their schemas`,
  gate: CALL,
  consent: '"Consent" and "The host\'s own approval"',
  stack: CALL,
  isolation: 'one session for each task, `beginStep` and `call`',
  errors: `${CALL}, and the rules that hold in all frameworks`,
  cleanup: '"The end"',
  turns: "`beginTurn` with every person's message",
  history: '"The history"',
  forks: '`fork`, handed to `call` and `beginTurn`',
  handoffs: 'one session for all agents of a conversation, with `beginStep` before every model call of each',
  audit: '`beginStep` with the model, `recordUsage`, and `call` around every tool',
  window: '"The window"',
  navigation: `${CALL}, with the arguments as the model wrote them`,
}

const NOTHING_SEEN = /saw (?:\[\]|""|undefined|"none")$/m

/** Returns a reference to the guide for a failure that only says that something did not happen; otherwise undefined. */
function hintFor(area: CheckArea, reason: string): string | undefined {
  return NOTHING_SEEN.test(reason) ? `See docs/adapters.md: ${PARTS[area]}.` : undefined
}
