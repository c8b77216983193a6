import { quote } from './hidden.ts'
import { MAX_YAML_DEPTH } from '../ports/limits.ts'

/**
 * Says where a value is none that YAML could hold without tags, to follow a colon; nothing where it is one.
 * @param where the value, as the message names it
 */
export function findNotPlain(value: unknown, where: string, depth = 0): string | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined
  // YAML has the infinite ones too.
  if (typeof value === 'number') return undefined
  if (typeof value !== 'object') return `"${where}" is ${value === undefined ? 'undefined' : `a ${typeof value}`}`
  if (depth > MAX_YAML_DEPTH) return `"${where}" is nested deeper than ${MAX_YAML_DEPTH} levels, or holds itself`
  const prototype: unknown = Object.getPrototypeOf(value)
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) {
    return `"${where}" is not a plain object`
  }
  for (const [key, part] of Object.entries(value)) {
    const found = findNotPlain(part, `${where}.${key}`, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

/** Says where two plain values first differ, to follow a colon; nothing where they are equal. */
export function findDifference(wanted: unknown, read: unknown, where: string): string | undefined {
  if (wanted === read || Object.is(wanted, read)) return undefined
  const bothLists = Array.isArray(wanted) && Array.isArray(read)
  const bothMaps = isMap(wanted) && isMap(read)
  if (!bothLists && !bothMaps) return `"${where}" is ${show(wanted)} and would be read back as ${show(read)}`
  const parts = new Map(Object.entries(read))
  for (const [key, value] of Object.entries(wanted)) {
    const found = findDifference(value, parts.get(key), where === '' ? key : `${where}.${key}`)
    if (found !== undefined) return found
    parts.delete(key)
  }
  const [more] = parts.keys()
  return more === undefined ? undefined : `"${where === '' ? more : `${where}.${more}`}" would be there as well`
}

function isMap(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function show(value: unknown): string {
  if (typeof value === 'string') return quote(value)
  return value === undefined ? 'absent' : quote(JSON.stringify(value))
}
