/** Where the largest number is searched for. */
export interface Range {
  /** It is assumed to fit. */
  readonly min: number
  readonly max: number
  /** Where the search begins: the nearer to the result, the fewer numbers are tried. */
  readonly guess: number
  /** Whether the guess is never too small, so that it is the result if it fits. Default false. */
  readonly trusted?: boolean
}

/**
 * Returns the largest number of a range that fits, where every smaller one does too. Tries about twice as many numbers as
 * the distance from the guess has binary digits.
 */
export function largest({ min, max, guess, trusted = false }: Range, fits: (count: number) => boolean): number {
  if (max <= min) return min
  const start = Math.min(Math.max(guess, min + 1), max)
  // Away from the guess in growing steps, until the border is between two numbers.
  if (!fits(start)) {
    let high = start
    for (let step = 1; ; step *= 2) {
      const next = Math.max(high - step, min)
      if (next === min || fits(next)) return between(next, high, fits)
      high = next
    }
  }
  if (trusted) return start
  let low = start
  for (let step = 1; low < max; step *= 2) {
    const next = Math.min(low + step, max)
    if (!fits(next)) return between(low, next, fits)
    low = next
  }
  return max
}

/** Returns the largest number that fits, from one that does and one that does not. */
function between(fitting: number, exceeding: number, fits: (count: number) => boolean): number {
  let [low, high] = [fitting, exceeding]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (fits(middle)) low = middle
    else high = middle
  }
  return low
}
