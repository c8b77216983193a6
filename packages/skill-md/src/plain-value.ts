import { MAX_YAML_DEPTH } from './ports/limits.ts'
import { shown } from './text/escape.ts'

/** Whether a value is an object that JSON can hold: no list, and not null. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether YAML can hold a value: no functions, and not itself. Properties that are undefined count as absent. */
export function isWritable(value: unknown, depth = 0): boolean {
  if (value === null || ['string', 'boolean', 'number'].includes(typeof value)) return true
  if (typeof value !== 'object' || depth > MAX_YAML_DEPTH) return false
  return Object.values(value).every((part) => part === undefined || isWritable(part, depth + 1))
}

/** Returns where two plain values first differ, as a clause to follow a colon; undefined if they are equal. */
export function findDifference(written: unknown, read: unknown, where: string): string | undefined {
  if (written === read || Object.is(written, read)) return undefined
  const bothLists = Array.isArray(written) && Array.isArray(read)
  const bothMaps = isObject(written) && isObject(read)
  if (!bothLists && !bothMaps) return `"${where}" is ${show(written)} and would be read back as ${show(read)}`
  const [given, found] = [new Map(Object.entries(written)), new Map(Object.entries(read))]
  for (const key of new Set([...given.keys(), ...found.keys()])) {
    const difference = findDifference(given.get(key), found.get(key), where === '' ? key : `${where}.${key}`)
    if (difference !== undefined) return difference
  }
  return undefined
}

function show(value: unknown): string {
  return value === undefined ? 'absent' : shown(JSON.stringify(value))
}
