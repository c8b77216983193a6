import type { TokenBudget } from './budget.ts'
import { listedDescription, type ListedSkill, type ListEntry, type ListForm, type ListingDetail } from './listing.ts'
import type { ListSize } from './list-size.ts'
import { shorten } from './shorten.ts'

/** Options of `fitList`. */
export interface FitOptions {
  /** The skills to list, in the order in which they are shown. */
  readonly skills: readonly ListedSkill[]
  /**
   * Returns the skills by rank, as indexes of `skills`: the last is cut first. Called if some have to be cut. Default: the
   * order in which they are shown.
   */
  readonly rank?: () => readonly number[]
  readonly budget: TokenBudget | undefined
  /** What the list can do without, the first to go first. Default: nothing. */
  readonly details?: readonly ListingDetail[]
  /**
   * True: no skill is listed by its name alone, since there is a better way to find one. Default false.
   */
  readonly describedOnly?: boolean
  /** Cuts a description to a limit that applies whatever the budget. Default: no limit. */
  readonly bound?: (description: string) => string
  /** Returns the whole description of a skill. Default: as lists have it. */
  readonly describe?: (manifest: ListedSkill['manifest']) => string
  /** Returns the text to count: all that a model is shown for these entries and a number of unlisted skills. */
  readonly text: (entries: readonly ListEntry[], unlisted: number, form: ListForm) => string
  /** Returns what one entry adds to it, for a first guess of how many fit. */
  readonly entryText: (entry: ListEntry, form: ListForm) => string
  /** What stands between entries. Default: a line break. */
  readonly separator?: string
  /** Whether some description is certainly cut, see `isCertainlyCut`. Default: that is found out. */
  readonly isCut?: () => boolean
}

/** A description of that length says what a skill is for and mostly when to use it; one much shorter says "When the user". */
export const MIN_DESCRIPTION_CHARS = 120

/** What a list of some size is made of. Nothing is made before it is asked for: most skills of a large catalog are not. */
export interface EntrySource {
  /** The indexes of skills by rank. */
  readonly rank: () => readonly number[]
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
export function entrySource(options: Pick<FitOptions, 'skills' | 'rank' | 'bound' | 'describe'>): EntrySource {
  const { skills, bound = (whole) => whole, describe = listedDescription } = options
  const wholes: (string | undefined)[] = []
  const bounded: (string | undefined)[] = []
  let ranked: readonly number[] | undefined
  const rank = (): readonly number[] => (ranked ??= options.rank?.() ?? [...skills.keys()])
  const wholeOf = (index: number): string => (wholes[index] ??= describe(skills[index]!.manifest))
  const boundedOf = (index: number): string => (bounded[index] ??= bound(wholeOf(index)))
  function entryOf(index: number, maxChars: number | undefined, form: ListForm): ListEntry {
    const { name, path } = skills[index]!
    if (maxChars === undefined) return { name }
    const description = shorten(boundedOf(index), maxChars)
    return form.has('locations') ? { name, description, location: path } : { name, description }
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
      return order
        .toSorted((a, b) => a - b)
        .map((index) => entryOf(index, withDescription.has(index) ? maxChars : undefined, form))
    },
  }
}
