import process from 'node:process'
import type { Contestant, Prepare, ReadSkill } from '../contestants/contestant.ts'
import type { Answers, ScanTimes } from '../job.ts'
import { timed } from '../statistics.ts'

const MIN_ROUNDS = 3
const MAX_ROUNDS = 30
/** After a first scan that takes longer, there is only one more. */
const LONG_SCAN_MS = 4_000

/**
 * Times the first scan of this process, the scans after it, and the reloads of a contestant that can reload.
 * @param budget about how many milliseconds the repeated scans, and the reloads, may take together
 */
export async function timeScans({ scan, reload }: Contestant, budget: number): Promise<ScanTimes> {
  let result: unknown
  const scanAgain = async (): Promise<void> => {
    result = await scan()
  }
  const first = await timed(scanAgain)
  const peakRss = process.resourceUsage().maxRSS * 1024
  const repeat = async (work: () => unknown): Promise<readonly number[]> => {
    const times: number[] = []
    const minRounds = first > LONG_SCAN_MS ? 1 : MIN_ROUNDS
    for (let spent = 0; times.length < minRounds || (spent < budget && times.length < MAX_ROUNDS);) {
      const taken = await timed(work)
      times.push(taken)
      spent += taken
    }
    return times
  }
  const repeated = await repeat(scanAgain)
  const reloads = reload === undefined ? [] : await repeat(() => reload(result as never))
  return { first, repeated, reloads, peakRss }
}

/** Times everything up to the first text that shows a model its skills: import, scan, list. */
export async function timeFirstPrompt(
  load: () => Promise<{ readonly prepare: Prepare }>,
  root: string,
): Promise<Omit<Answers['prompt'], 'correctness'> & { readonly read: () => Promise<Iterable<ReadSkill>> }> {
  const start = performance.now()
  const contestant = await (await load()).prepare(root)
  const { scan, scanAndList, list = plainList(contestant), read } = contestant
  const result = scanAndList === undefined ? await scan() : undefined
  const text = scanAndList === undefined ? list(result as never) : await scanAndList()
  const taken = performance.now() - start
  return { taken, characters: text.length, read: async () => read((result ?? (await scan())) as never) }
}

/** The shortest list that a program could show of the skills that it has in memory. */
function plainList({ read }: Contestant): (result: never) => string {
  return (result) => Array.from(read(result), ({ folder, description }) => `- ${folder}: ${description}\n`).join('')
}
