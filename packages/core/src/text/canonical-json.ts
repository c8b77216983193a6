/** A replacer for `JSON.stringify` that sorts the keys of objects: databases that keep JSON may reorder them. */
export function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/**
 * Returns a value as JSON with sorted keys and a bigint as `5n`, so that equal values have the same text.
 * @throws {TypeError} the value refers to itself
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (key, item: unknown) => (typeof item === 'bigint' ? `${item}n` : sortKeys(key, item)))
}
