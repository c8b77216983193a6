/** Numbers that look random and are the same for the same seed, on every machine. */
export type Random = ReturnType<typeof createRandom>

/** Mulberry32. Each skill has its own sequence. */
export function createRandom(seed: number) {
  let state = Math.imul(seed + 1, 0x9e3779b9)
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
  /** A whole number from `low` to `high`, both included. */
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1))
  /** Whether something of this rate (0 to 1) happens. */
  const happens = (rate: number): boolean => next() < rate
  const pick = <T>(values: readonly T[]): T => values[between(0, values.length - 1)]!
  /** One of the keys, as often as its rate says. The rates need not add up to 1. */
  const weighted = <K extends string>(rates: Readonly<Record<K, number>>): K => {
    const entries = Object.entries(rates) as [K, number][]
    let left = next() * entries.reduce((sum, [, rate]) => sum + rate, 0)
    return (entries.find(([, rate]) => (left -= rate) < 0) ?? entries.at(-1)!)[0]
  }
  return { between, happens, pick, weighted }
}
