import { MAX_YAML_DEPTH } from './ports/limits.ts'
import { quote, shown } from './text/escape.ts'

/** Whether a value is an object that JSON can hold: no list, and not null. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Returns which part of a value YAML cannot hold without tags, as a clause to follow a colon; undefined if it can hold
 * all of it.
 * @param where the value's path in the message
 * @param undefinedProperties whether an object may have properties that are undefined, which are written as none
 */
export function findNotPlain(
  value: unknown,
  where: string,
  undefinedProperties: 'refused' | 'absent' = 'refused',
  depth = 0,
): string | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined
  // YAML has infinite numbers and NaN too.
  if (typeof value === 'number') return undefined
  if (typeof value !== 'object') return `"${where}" is ${value === undefined ? 'undefined' : `a ${typeof value}`}`
  if (depth > MAX_YAML_DEPTH) return `"${where}" is nested deeper than ${MAX_YAML_DEPTH} levels, or holds itself`
  const prototype: unknown = Object.getPrototypeOf(value)
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) {
    return `"${where}" is not a plain object`
  }
  for (const [key, part] of Object.entries(value)) {
    if (part === undefined && undefinedProperties === 'absent' && !Array.isArray(value)) continue
    const found = findNotPlain(part, `${where}.${key}`, undefinedProperties, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns where two plain values first differ, as a clause to follow a colon; undefined if they are equal. */
export function findDifference(written: unknown, read: unknown, where: string): string | undefined {
  if (written === read || Object.is(written, read)) return undefined
  const bothLists = Array.isArray(written) && Array.isArray(read)
  const bothMaps = isObject(written) && isObject(read)
  if (!bothLists && !bothMaps) return `"${where}" is ${show(written)} and would be read back as ${show(read)}`
  const parts = new Map(Object.entries(read))
  for (const [key, value] of Object.entries(written)) {
    const found = findDifference(value, parts.get(key), where === '' ? key : `${where}.${key}`)
    if (found !== undefined) return found
    parts.delete(key)
  }
  const [extra] = parts.keys()
  return extra === undefined ? undefined : `"${where === '' ? extra : `${where}.${extra}`}" would be there as well`
}

function show(value: unknown): string {
  if (typeof value === 'string') return quote(value)
  return value === undefined ? 'absent' : shown(JSON.stringify(value))
}
