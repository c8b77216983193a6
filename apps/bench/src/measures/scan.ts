import process from 'node:process'
import type { Contestant } from '../contestants/contestant.ts'
import type { Answers } from '../job.ts'

const FEWEST = 3
const MAX_ROUNDS = 30
/** A first scan of more milliseconds is followed by one other and no more. */
const LONG = 4_000

/**
 * The first scan of this process and those after it.
 * @param budget about how many milliseconds the repeated ones may take together
 */
export async function timeScans({ scan }: Contestant, budget: number): Promise<Answers['scan']> {
  const rssBefore = peakRss()
  const first = await time(scan)
  const rss = peakRss()
  const repeated: number[] = []
  const fewest = first > LONG ? 1 : FEWEST
  for (let spent = 0; repeated.length < fewest || (spent < budget && repeated.length < MAX_ROUNDS);) {
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
