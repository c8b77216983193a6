import { LRUCache } from 'lru-cache'

/**
 * Returns a map that keeps the entries that were used last.
 * @param most how many it keeps. They are counted as sizes: with its option `max`, the library reserves all their room at
 * once, which costs a session 80 KB
 */
export function recentEntries<Key extends {}, Value extends {}>(most: number): LRUCache<Key, Value> {
  return new LRUCache<Key, Value>({ maxSize: most, sizeCalculation: () => 1 })
}
