import process from 'node:process'
import type { Contestant, Prepare } from '../contestants/contestant.ts'
import { timed } from '../statistics.ts'

const MIN_ROUNDS = 3
const MAX_ROUNDS = 30

/**
 * Times the first scan of this process, the scans after it, and the reloads of a contestant that can reload.
 * @param budget about how many milliseconds the repeated scans, and the reloads, may take together
 */
export async function timeScans({ scan, reload }: Contestant, budget: number) {
  let result: unknown
  const scanAgain = async (): Promise<void> => {
    result = await scan()
  }
  const repeat = async (work: () => unknown): Promise<readonly number[]> => {
    const times: number[] = []
    for (let spent = 0; times.length < MIN_ROUNDS || (spent < budget && times.length < MAX_ROUNDS);) {
      const taken = await timed(work)
      times.push(taken)
      spent += taken
    }
    return times
  }
  const first = await timed(scanAgain)
  const repeated = await repeat(scanAgain)
  const reloads = reload === undefined ? [] : await repeat(() => reload(result as never))
  return { first, repeated, reloads }
}

/** Times everything up to the first text that shows a model its skills: import, scan, list. */
export async function timeFirstPrompt(
  load: () => Promise<{ readonly prepare: Prepare }>,
  root: string,
): Promise<{ readonly taken: number; readonly contestant: Contestant }> {
  const start = performance.now()
  const contestant = await (await load()).prepare(root)
  await (contestant.firstPrompt?.() ?? plainList(contestant))
  return { taken: performance.now() - start, contestant }
}

/** The shortest list that a program could show of the skills that it has in memory. */
async function plainList({ scan, read }: Contestant): Promise<string> {
  const skills = read((await scan()) as never)
  return Array.from(skills, ({ folder, description }) => `- ${folder}: ${description}\n`).join('')
}

/**
 * Returns how many bytes the result of one scan keeps: what is freed when the result is released.
 * @throws {Error} unless Node runs with `--expose-gc`
 */
export async function weighResult({ scan }: Contestant): Promise<number> {
  const holder: { result?: unknown } = { result: await scan() }
  const withResult = await usedMemory()
  // Read once more, so that it is not released early.
  if (holder.result === undefined) throw new Error('The scan returned nothing that could be weighed.')
  delete holder.result
  return withResult - (await usedMemory())
}

/**
 * Returns the bytes in use after forced collections.
 * @throws {Error} unless Node runs with `--expose-gc`
 */
export async function usedMemory(): Promise<number> {
  const { gc } = globalThis
  if (gc === undefined) throw new Error('Run this with --expose-gc.')
  // What finished promises and finalizers hold is freed a turn later.
  for (let turn = 0; turn < 4; turn++) {
    await new Promise((resolve) => setImmediate(resolve))
    gc()
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
