import type { Hand, HandCheck } from '../src/checks/by-hand/hand.ts'
import type { AdapterDriver, Conversation } from '../src/driver.ts'
import type { Result } from '../src/report/report.ts'
import { type CheckOptions, runConformance } from '../src/run.ts'
import { startLoop } from './loop-driver.ts'

/** A check of the test's own, whose model says hello. */
export function checkOf(run: (hand: Hand) => Promise<void>, more: Partial<HandCheck> = {}): HandCheck {
  const script = [{ text: 'Good day.' }]
  return { id: 'one', area: 'gate', level: 'MUST', title: '[GATE-1] does what is asked', script, run, ...more }
}

/** Runs one check on one driver. */
export async function resultOf(driver: AdapterDriver, check: HandCheck, options: CheckOptions = {}): Promise<Result> {
  const report = await runConformance({ ...options, drivers: [driver], checks: [check] })
  return report.results[0]!
}

/** The behaving loop with some of a conversation's methods replaced. */
export function brokenLoop(replace: (conversation: Conversation) => Partial<Conversation>): AdapterDriver['start'] {
  return async (task) => {
    const conversation = startLoop(task)
    return { ...conversation, ...replace(conversation) }
  }
}
