import { runChild } from '../run-child.ts'
import type { Sample, Soaked } from './sample.ts'

/** How much longer than its time a soak may take: its warm-up, the last tasks and closing, on a busy machine. */
const SLACK_MS = 300_000

export interface MeasureSoakOptions {
  readonly source: boolean
  readonly minutes: number
  readonly seed: number
  readonly progress: (text: string) => void
  readonly sample: (sample: Sample, isFirst: boolean) => void
}

/**
 * Runs a soak in a process of its own.
 * @throws {ChildFailure} where a task did what it must not, or did not end
 */
export function measureSoak({ source, minutes, seed, progress, sample }: MeasureSoakOptions): Promise<Soaked> {
  let isFirst = true
  progress('soak: warming up')
  return runChild(
    { kind: 'soak', seconds: 60 * minutes, seed },
    {
      source,
      timeout: 60_000 * minutes + SLACK_MS,
      onLine(line) {
        sample(JSON.parse(line) as Sample, isFirst)
        isFirst = false
        progress(`soak: ${minutes} minutes`)
      },
    },
  )
}
