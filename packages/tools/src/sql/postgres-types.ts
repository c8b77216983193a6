/** Reads a value of PostgreSQL from its text. */
export type ReadValue = (text: string) => unknown

/**
 * How dates and times without a zone are read: as they are written. `pg` makes a moment of them, at this process's own
 * zone, and in JSON that is often the day before.
 */
const WITHOUT_ZONE: ReadonlyMap<number, ReadValue> = new Map<number, ReadValue>([
  [1082, isoOf],
  [1114, isoOf],
  [1182, listOf],
  [1115, listOf],
])

/** Returns how values are read: some as it is said here, all others as the host reads them. */
export function typesOf(
  hosts: (type: number, format?: 'text' | 'binary') => ReadValue,
): (type: number, format?: 'text' | 'binary') => ReadValue {
  return (type, format) => (format === 'binary' ? undefined : WITHOUT_ZONE.get(type)) ?? hosts(type, format)
}

function isoOf(text: string): string {
  return text.replace(/^(\d{4,}-\d\d-\d\d) /, '$1T')
}

/** `{2026-01-02,NULL}`, and lists in lists. The bounds before it, `[2:3]=`, say nothing about the values. */
function listOf(text: string): unknown {
  const items = text
    .replace(/^[^{]*=/, '')
    .replace(/"[^"]*"|[^{},]+/g, (item) => (item === 'NULL' ? 'null' : JSON.stringify(isoOf(item.replaceAll('"', '')))))
  return JSON.parse(items.replaceAll('{', '[').replaceAll('}', ']'))
}
