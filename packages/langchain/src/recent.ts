/** A cache with a maximum size. */
export interface Recent<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
}

/** Keeps the last value of each key. With more than `most` keys, the one that was set longest ago is removed. */
export function createRecent<Value>(most: number): Recent<Value> {
  const values = new Map<string, Value>()
  return {
    get: (key) => values.get(key),
    set(key, value) {
      // Moved to the end: a map keeps the position of a key's first insertion.
      values.delete(key)
      values.set(key, value)
      const [oldest] = values.keys()
      if (values.size > most && oldest !== undefined) values.delete(oldest)
    },
  }
}
