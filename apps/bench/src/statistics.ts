/** Samples of one quantity, summed up. */
export interface Summary {
  readonly median: number
  readonly least: number
  readonly most: number
  readonly count: number
}

/** @throws {RangeError} there are none */
export function summarise(samples: readonly number[]): Summary {
  const sorted = samples.toSorted((a, b) => a - b)
  const [least] = sorted
  const most = sorted.at(-1)
  if (least === undefined || most === undefined) throw new RangeError('There are no samples to sum up.')
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? most
  const center = sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? least) + upper) / 2
  return { median: center, least, most, count: sorted.length }
}

export function sum(samples: readonly number[]): number {
  return samples.reduce((total, sample) => total + sample, 0)
}

export function median(samples: readonly number[]): number {
  return summarise(samples).median
}
