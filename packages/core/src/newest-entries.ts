/**
 * Sets an entry as the newest of a map, and drops the oldest if there are more than `limit`. For what is read at once, and
 * where the library for caches would be the heaviest thing that the root entry imports: see `LRU_CACHE`.
 */
export function setNewest<Key, Value>(entries: Map<Key, Value>, key: Key, value: Value, limit: number): void {
  entries.delete(key)
  entries.set(key, value)
  if (entries.size > limit) entries.delete(entries.keys().next().value!)
}
