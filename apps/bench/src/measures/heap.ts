import process from 'node:process'
import type { Contestant } from '../contestants/contestant.ts'
import type { Weight } from '../job.ts'

/**
 * How much memory the result of one scan keeps: what is freed when the result is released.
 * @throws {Error} unless Node runs with `--expose-gc`
 */
export async function weighResult({ scan }: Contestant): Promise<Weight> {
  const before = await used()
  const holder: { result?: unknown } = { result: await scan() }
  // A first scan keeps the texts of the frontmatters until the program waits for something, and then only their hashes.
  await new Promise((resolve) => setTimeout(resolve, 300))
  const withResult = await used()
  // Read once more, so that it is not released early.
  if (holder.result === undefined) throw new Error('The scan returned nothing that could be weighed.')
  delete holder.result
  const without = await used()
  return { kept: withResult - without, besides: without - before }
}

/** Returns the memory in use, in bytes, when all that can be freed is. @throws {Error} unless Node runs with `--expose-gc` */
export async function used(): Promise<number> {
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
