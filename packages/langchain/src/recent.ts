/** A memory that keeps to its bounds. */
export interface Recent<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
}

/** What was put in last under each key. Of more than `most` keys, the one goes that nothing was put under for longest. */
export function createRecent<Value>(most: number): Recent<Value> {
  const values = new Map<string, Value>()
  return {
    get: (key) => values.get(key),
    set(key, value) {
      // Behind all others: a map keeps the place in which a key first came.
      values.delete(key)
      values.set(key, value)
      const [oldest] = values.keys()
      if (values.size > most && oldest !== undefined) values.delete(oldest)
    },
  }
}
