/** A replacer for `JSON.stringify` that sorts the keys of objects: databases that keep JSON may reorder them. */
export function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/**
 * A value as JSON with the keys of its objects sorted, a bigint as `5n`: the same text for the same value.
 * @throws {TypeError} the value refers to itself
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (key, item: unknown) => (typeof item === 'bigint' ? `${item}n` : sortKeys(key, item)))
}
