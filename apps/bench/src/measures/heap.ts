import process from 'node:process'
import type { Contestant } from '../contestants/contestant.ts'

/**
 * Returns how many bytes the result of one scan keeps: what is freed when the result is released.
 * @throws {Error} unless Node runs with `--expose-gc`
 */
export async function weighResult({ scan }: Contestant): Promise<number> {
  const holder: { result?: unknown } = { result: await scan() }
  const withResult = await used()
  // Read once more, so that it is not released early.
  if (holder.result === undefined) throw new Error('The scan returned nothing that could be weighed.')
  delete holder.result
  return withResult - (await used())
}

/**
 * Returns the bytes in use after forced collections.
 * @throws {Error} unless Node runs with `--expose-gc`
 */
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
