import { MIN_DESCRIPTION_CHARS } from './fit-memory.ts'
import type { FitOptions } from './fit-options.ts'
import type { ListForm } from './list-form.ts'
import type { ListSize } from './list-size.ts'
import { type ListEntry, listedDescription } from './listing.ts'
import { shorten } from './shorten.ts'

/** What a list of some size is made of. Nothing is made before it is asked for: most skills of a large catalog are not. */
export interface EntrySource {
  /** The indexes of skills by rank. */
  readonly rank: () => Uint32Array
  /** Returns the whole description of a skill. */
  readonly wholeOf: (index: number) => string
  /** Returns as much of it as can be shown whatever the budget. */
  readonly boundedOf: (index: number) => string
  /** @param maxChars absent: its name alone */
  readonly entryOf: (index: number, maxChars: number | undefined, form: ListForm) => ListEntry
  /** Returns the entries of a list, in the order in which they are shown. */
  readonly entriesAt: (size: ListSize) => readonly ListEntry[]
}

/** Creates the source of the entries of one list. */
export function entrySource(
  options: Pick<FitOptions, 'skills' | 'rank' | 'bound' | 'describe' | 'memory'>,
): EntrySource {
  const { skills, bound, describe = listedDescription } = options
  const wholes = options.memory?.wholes ?? new Map<number, string>()
  const bounded: (string | undefined)[] = []
  let ranked: Uint32Array | undefined
  const rank = (): Uint32Array => (ranked ??= options.rank?.() ?? Uint32Array.from(skills.keys()))
  function wholeOf(index: number): string {
    const known = wholes.get(index)
    if (known !== undefined) return known
    const whole = describe(skills[index]!.manifest)
    wholes.set(index, whole)
    return whole
  }
  const boundedOf = (index: number): string =>
    bound === undefined ? wholeOf(index) : (bounded[index] ??= bound(wholeOf(index)))
  const shortest = options.memory?.shortest ?? new Map<number, ListEntry>()
  function entryOf(index: number, maxChars: number | undefined, form: ListForm): ListEntry {
    const { name } = skills[index]!
    if (maxChars === undefined) return { name }
    // Only a list without details has descriptions of that length.
    const known = maxChars === MIN_DESCRIPTION_CHARS ? shortest.get(index) : undefined
    if (known !== undefined) return known
    const description = shorten(boundedOf(index), maxChars)
    const entry = form.has('locations') ? { name, description, location: skills[index]!.path } : { name, description }
    if (maxChars === MIN_DESCRIPTION_CHARS) shortest.set(index, entry)
    return entry
  }
  return {
    rank,
    wholeOf,
    boundedOf,
    entryOf,
    entriesAt({ listed, described, maxChars, form }) {
      if (described === skills.length) return skills.map((_, index) => entryOf(index, maxChars, form))
      const order = rank().slice(0, listed)
      const withDescription = new Set(order.slice(0, described))
      return Array.from(order.toSorted(), (index) =>
        entryOf(index, withDescription.has(index) ? maxChars : undefined, form),
      )
    },
  }
}
