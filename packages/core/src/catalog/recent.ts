/** Values by key, of which those used last are kept. */
export interface Recent<K, V> {
  get(key: K): V | undefined
  /** Drops the oldest where there are more than fit. */
  set(key: K, value: V): void
  delete(key: K): void
  deleteWhere(matches: (key: K) => boolean): void
  clear(): void
}

/**
 * A bounded store.
 * @param maxWeight how much fits
 * @param weigh what one value counts; default 1
 */
export function createRecent<K, V>(maxWeight: number, weigh: (value: V) => number = () => 1): Recent<K, V> {
  // A Map keeps the order of insertion: what was used last goes to the end, and the oldest falls out.
  const values = new Map<K, V>()
  let weight = 0
  /** The key at the end, which need not be moved there. */
  let last: K | undefined
  const remove = (key: K): V | undefined => {
    const value = values.get(key)
    if (value !== undefined && values.delete(key)) weight -= weigh(value)
    if (key === last) last = undefined
    return value
  }
  const append = (key: K, value: V): void => {
    values.set(key, value)
    weight += weigh(value)
    last = key
  }
  return {
    get(key) {
      if (key === last) return values.get(key)
      const value = remove(key)
      if (value !== undefined) append(key, value)
      return value
    },
    set(key, value) {
      remove(key)
      append(key, value)
      if (weight <= maxWeight) return
      for (const oldest of values.keys()) {
        if (weight <= maxWeight || oldest === key) break
        remove(oldest)
      }
    },
    delete: (key) => void remove(key),
    deleteWhere(matches) {
      for (const key of values.keys()) if (matches(key)) remove(key)
    },
    clear() {
      values.clear()
      weight = 0
      last = undefined
    },
  }
}
