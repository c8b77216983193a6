import { distance } from 'fastest-levenshtein'
import { MAX_NAME_CHARS } from '../ports/limits.ts'

/** Returns the names that a mistyped name most likely stands for, the most similar first, at most `count`. */
export function nearestNames(mistyped: string, names: Iterable<string>, count = 3): readonly string[] {
  const typed = mistyped.toLowerCase().slice(0, MAX_NAME_CHARS)
  if (typed === '') return []
  const limit = Math.max(2, Math.floor(typed.length / 3))
  return [...names]
    .map((name) => {
      const lower = name.toLowerCase().slice(0, MAX_NAME_CHARS)
      // People who do not know the whole name mostly type a part of it.
      const edits = lower.includes(typed) || typed.includes(lower) ? 1 : distance(typed, lower)
      return { name, edits }
    })
    .filter(({ edits }) => edits <= limit)
    .toSorted((a, b) => a.edits - b.edits || (a.name < b.name ? -1 : 1))
    .slice(0, count)
    .map(({ name }) => name)
}
