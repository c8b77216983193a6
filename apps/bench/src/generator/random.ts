/** Numbers that look random and are the same for the same seed, on every machine. */
export interface Random {
  /** From 0 to below 1. */
  next(): number
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number
  /** Whether something of this rate (0 to 1) happens. */
  happens(rate: number): boolean
  pick<T>(values: readonly T[]): T
  /** One of the keys, with the probability of its rate. The rates need not add up to 1. */
  weighted<K extends string>(rates: Readonly<Record<K, number>>): K
}

/** Mulberry32, seeded by several numbers, so that each skill has its own sequence. */
export function createRandom(...seeds: readonly number[]): Random {
  let state = seeds.reduce((hash, seed) => mix(hash ^ seed), 0x9e3779b9)

  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1))

  return {
    next,
    between,
    happens: (rate) => next() < rate,
    pick: (values) => {
      const value = values[between(0, values.length - 1)]
      if (value === undefined) throw new RangeError('Nothing can be picked from an empty list.')
      return value
    },
    weighted: (rates) => {
      const entries = Object.entries<number>(rates)
      let left = next() * entries.reduce((sum, [, rate]) => sum + rate, 0)
      const found = entries.find(([, rate]) => (left -= rate) < 0) ?? entries.at(-1)
      return found?.[0] as keyof typeof rates & string
    },
  }
}

function mix(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
