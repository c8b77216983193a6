import type { Bench, Check, CheckArea, Trial, TrialOptions } from '../check.ts'
import { done } from './assertions.ts'

/** A check as its file writes it. */
export type WrittenCheck = Omit<Check, 'area' | 'level'> & Partial<Pick<Check, 'area' | 'level'>>

/** Returns the checks of an area. A check may name another area; its level is `MUST` unless it says otherwise. */
export function checksOf(area: CheckArea, written: readonly WrittenCheck[]): readonly Check[] {
  return written.map((check) => ({ area, level: 'MUST', ...check }))
}

/** Opens a trial and sends one message, which must end with an answer. */
export async function playTrial(bench: Bench, options: TrialOptions): Promise<Trial> {
  const trial = await bench.open(options)
  done(await trial.send('Hello'))
  return trial
}
