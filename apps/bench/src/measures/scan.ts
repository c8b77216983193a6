import process from 'node:process'
import type { Contestant } from '../contestants/contestant.ts'
import type { Answers } from '../job.ts'

const MIN_ROUNDS = 3
const MAX_ROUNDS = 30
/** After a first scan that takes longer, there is only one more. */
const LONG_SCAN_MS = 4_000

/**
 * The first scan of this process and those after it.
 * @param budget about how many milliseconds the repeated ones may take together
 */
export async function timeScans({ scan }: Contestant, budget: number): Promise<Answers['scan']> {
  const rssBefore = peakRss()
  const first = await time(scan)
  const rss = peakRss()
  const repeated: number[] = []
  const minRounds = first > LONG_SCAN_MS ? 1 : MIN_ROUNDS
  for (let spent = 0; repeated.length < minRounds || (spent < budget && repeated.length < MAX_ROUNDS);) {
    const taken = await time(scan)
    repeated.push(taken)
    spent += taken
  }
  return { first, repeated, peakRss: rss, scanRss: rss - rssBefore }
}

async function time(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

function peakRss(): number {
  return process.resourceUsage().maxRSS * 1024
}
