import { distance } from 'fastest-levenshtein'

/**
 * Returns the names that a mistyped name most likely means, the most similar first, at most `count`: those within
 * a few edits of it; if there are none, those that it is a part of, and then those that are a part of it.
 */
export function nearestNames(mistyped: string, names: Iterable<string>, count = 3): readonly string[] {
  const typed = mistyped.toLowerCase().slice(0, MAX_COMPARED_CHARS)
  if (typed === '') return []
  const maxEdits = Math.max(MIN_EDITS, Math.floor(typed.length / CHARS_PER_EDIT))
  const candidates = [...names].map((name) => {
    const lower = name.toLowerCase().slice(0, MAX_COMPARED_CHARS)
    return { name, lower, edits: distance(typed, lower) }
  })
  // An edit says more than a part: "kuberntes-deploy" means "kubernetes-deploy", although "deploy" is a part of it.
  const [similar = []] = [
    candidates.filter(({ edits, lower }) => edits <= maxEdits && edits < Math.max(typed.length, lower.length)),
    candidates.filter(({ lower }) => lower.includes(typed)),
    candidates.filter(({ lower }) => lower !== '' && typed.includes(lower)),
  ].filter(({ length }) => length > 0)
  return similar
    .toSorted((a, b) => a.edits - b.edits || (a.name < b.name ? -1 : 1))
    .slice(0, count)
    .map(({ name }) => name)
}

/** The longest name of a skill has 64 characters, and paths of files have more. */
const MAX_COMPARED_CHARS = 256

/** Two letters that change places are two edits. */
const MIN_EDITS = 2

/** In longer names, one edit more for so many characters. */
const CHARS_PER_EDIT = 3

/** A name of so many letters is near what differs by two of them, a shorter one what differs by one. */
const LONG_NAME = 10

/**
 * Whether a word is another with a slip of the pen: a letter too much, missing or wrong, or two swapped; two in a long
 * one.
 */
export function isNear(typed: string, name: string): boolean {
  const maxEdits = name.length < LONG_NAME ? 1 : 2
  if (Math.abs(typed.length - name.length) > maxEdits) return false
  return distance(typed, name) <= maxEdits || isSwapped(typed, name)
}

function isSwapped(typed: string, name: string): boolean {
  const at = Array.from(name).findIndex((letter, index) => letter !== typed[index])
  return at >= 0 && typed === name.slice(0, at) + name.charAt(at + 1) + name.charAt(at) + name.slice(at + 2)
}
