/** Several samples of one quantity. */
export interface Summary {
  readonly median: number
  readonly least: number
  readonly most: number
  /** In the order of measuring. */
  readonly samples: readonly number[]
}

/** What one process measured of ours, and of what ours is compared with. Times in milliseconds, sizes in bytes or tokens. */
export interface Pair {
  readonly own: number
  readonly base?: number
}

/** @throws {RangeError} if there are no samples */
export function summarise(samples: readonly number[]): Summary {
  if (samples.length === 0) throw new RangeError('There are no samples to sum up.')
  const sorted = samples.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  const center = (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2
  return { median: center, least: sorted[0]!, most: sorted.at(-1)!, samples }
}

export function median(samples: readonly number[]): number {
  return summarise(samples).median
}

/** The ratio of two medians, if there are both. */
export function ratio(one: Summary | undefined, other: Summary | undefined): number | undefined {
  return one && other && one.median / other.median
}

/** The median of the second half: by then, the code is compiled and caches are warm. */
export function steady(samples: readonly number[]): number {
  return median(samples.slice(samples.length >> 1))
}

/** Milliseconds that some work takes. */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
