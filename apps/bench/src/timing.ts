import process from 'node:process'
import { Bench } from 'tinybench'

/** The median of at least one sample. */
export function median(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2
}

/** The median of the second half: by then, code is compiled and caches are warm. */
export function steady(samples: readonly number[]): number {
  return median(samples.slice(samples.length >> 1))
}

/** Milliseconds that some work takes. */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/**
 * Times some works in turns, so that what else the machine does affects all of them.
 * @param iterations runs of each work in a turn
 * @returns the steady time of each, in milliseconds
 * @throws what a work throws
 */
export async function timeInTurns<K extends string>(
  works: Readonly<Record<K, () => unknown>>,
  { turns, iterations }: { readonly turns: number; readonly iterations: number },
): Promise<Record<K, number>> {
  const samples = Object.fromEntries(Object.keys(works).map((name) => [name, [] as number[]]))
  for (let turn = 0; turn < turns; turn++) {
    const bench = new Bench({ time: 0, iterations, warmup: false, throws: true })
    for (const [name, work] of Object.entries<() => unknown>(works))
      bench.add(name, async () => void (await work()), { async: true })
    for (const { name, result } of await bench.run()) if ('latency' in result) samples[name]!.push(result.latency.p50)
  }
  return Object.fromEntries(Object.entries(samples).map(([name, each]) => [name, steady(each)])) as Record<K, number>
}

/** Returns the bytes in use after forced collections. Node has to run with `--expose-gc`. */
export async function usedMemory(): Promise<number> {
  // What finished promises and finalizers hold is freed a turn later.
  for (let turn = 0; turn < 4; turn++) {
    await new Promise((resolve) => setImmediate(resolve))
    globalThis.gc!()
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
