import { distance } from 'fastest-levenshtein'
import { MAX_NAME_CHARS } from '../ports/limits.ts'

/** The names that a mistyped one most likely meant, nearest first; none where nothing is near. At most `count`. */
export function nearestNames(wanted: string, names: Iterable<string>, count = 3): readonly string[] {
  const typed = wanted.toLowerCase().slice(0, MAX_NAME_CHARS)
  if (typed === '') return []
  const limit = Math.max(2, Math.floor(typed.length / 3))
  return [...names]
    .map((name) => {
      const lower = name.toLowerCase().slice(0, MAX_NAME_CHARS)
      // A part of the name is what people type most often when they do not know the whole.
      const near = lower.includes(typed) || typed.includes(lower) ? 1 : distance(typed, lower)
      return { name, near }
    })
    .filter(({ near }) => near <= limit)
    .toSorted((a, b) => a.near - b.near || (a.name < b.name ? -1 : 1))
    .slice(0, count)
    .map(({ name }) => name)
}
