import type { TokenBudget } from './budget.ts'
import { type ListedSkill, type ListEntry, listedDescription } from './listing.ts'
import { shorten } from './shorten.ts'

/** What was cut from a list so that it fits its budget, by the names of the skills. */
export interface ListingCuts {
  /** Skills with a shortened description. */
  readonly shortened: readonly string[]
  /** Skills listed by name only. */
  readonly withoutDescription: readonly string[]
  /** Skills that are not listed. They can still be activated by name. */
  readonly dropped: readonly string[]
  /** The size of the list, in tokens. Absent: there is no budget, and nothing was counted. */
  readonly tokens?: number
  /** The largest size of the list, in tokens. Absent: there is no budget. */
  readonly budget?: number
}

/** A list that was cut to fit. */
export interface FittedList {
  /** The listed skills, in the order given. */
  readonly entries: readonly ListEntry[]
  readonly cuts: ListingCuts
}

/** Options of `fitList`. */
export interface FitOptions {
  /** The skills to list, in the order in which they are shown. */
  readonly skills: readonly ListedSkill[]
  /** The skills by priority, as indexes of `skills`: the last is cut first. Default: the order in which they are shown. */
  readonly keep?: readonly number[]
  readonly budget: TokenBudget | undefined
  /** Cuts a description to a limit that applies whatever the budget. Default: no limit. */
  readonly bound?: (description: string) => string
  /** Returns the whole description of a skill. Default: as lists have it. */
  readonly describe?: (manifest: ListedSkill['manifest']) => string
  /** Returns the text to count: all that a model is shown for these entries and a number of unlisted skills. */
  readonly text: (entries: readonly ListEntry[], unlisted: number) => string
}

/** The fewest code units of a description that are worth showing. */
const MIN_DESCRIPTION_CHARS = 24

/**
 * Cuts a list until it fits its budget. First every description is cut to a common length, so that the longest are
 * shortened first; then descriptions are left out, beginning with the last in `keep`; then names are dropped in the same
 * order. The result is deterministic. It exceeds the budget only if not even one name fits: then none is listed.
 */
export function fitList({
  skills,
  keep = [...skills.keys()],
  budget,
  bound,
  text,
  describe = listedDescription,
}: FitOptions): FittedList {
  const rank = new Uint32Array(skills.length)
  for (const [position, index] of keep.entries()) rank[index] = position
  const descriptions: (string | undefined)[] = []
  const wholeOf = (index: number): string => (descriptions[index] ??= describe(skills[index]!.manifest))
  const bounded: (string | undefined)[] = []
  const boundedOf = (index: number): string => (bounded[index] ??= bound?.(wholeOf(index)) ?? wholeOf(index))

  /** Returns the first `listed` skills by rank; the first `described` have descriptions of at most `maxChars` code units. */
  function cutTo(listed: number, described: number, maxChars: number): readonly ListEntry[] {
    return [...skills.keys()]
      .filter((index) => rank[index]! < listed)
      .map((index) => {
        const { name, path: location } = skills[index]!
        return rank[index]! < described
          ? { name, location, description: shorten(boundedOf(index), maxChars) }
          : { name, location }
      })
  }
  const tokensOf = (entries: readonly ListEntry[]): number =>
    budget === undefined ? 0 : budget.countTokens(text(entries, skills.length - entries.length))
  const fits = (entries: readonly ListEntry[]): boolean => budget === undefined || tokensOf(entries) <= budget.tokens

  function fitted(): readonly ListEntry[] {
    const all = skills.length
    if (budget === undefined) return cutTo(all, all, Infinity)
    // Names first, which is cheap: of ten thousand skills only about as many as fit are read. A name has at least a token.
    if (all > budget.tokens || !fits(cutTo(all, 0, 0))) {
      return cutTo(
        largest(0, all - 1, (count) => fits(cutTo(count, 0, 0))),
        0,
        0,
      )
    }
    const whole = cutTo(all, all, Infinity)
    if (fits(whole)) return whole
    const longest = Math.max(0, ...whole.map(({ description = '' }) => description.length))
    const maxChars = largest(MIN_DESCRIPTION_CHARS - 1, longest, (length) => fits(cutTo(all, all, length)))
    if (maxChars >= MIN_DESCRIPTION_CHARS) return cutTo(all, all, maxChars)
    return cutTo(
      all,
      largest(0, all, (count) => fits(cutTo(all, count, MIN_DESCRIPTION_CHARS))),
      MIN_DESCRIPTION_CHARS,
    )
  }

  const entries = fitted()
  const shown = new Map(entries.map((entry) => [entry.name, entry]))
  const namesWhere = (matches: (entry: ListEntry | undefined, index: number) => boolean): readonly string[] =>
    skills.flatMap(({ name }, index) => (matches(shown.get(name), index) ? [name] : []))
  return {
    entries,
    cuts: {
      shortened: namesWhere((entry, index) => entry?.description !== undefined && entry.description !== wholeOf(index)),
      withoutDescription: namesWhere((entry) => entry !== undefined && entry.description === undefined),
      dropped: namesWhere((entry) => entry === undefined),
      ...(budget !== undefined && { tokens: tokensOf(entries), budget: budget.tokens }),
    },
  }
}

/** Returns the largest number from `min` to `max` that fits, searching upwards. `min` is assumed to fit. */
function largest(min: number, max: number, fits: (count: number) => boolean): number {
  let low = min
  let step = 16
  while (low < max) {
    const next = Math.min(low + step, max)
    if (!fits(next)) {
      let high = next
      while (high - low > 1) {
        const middle = (low + high) >> 1
        if (fits(middle)) low = middle
        else high = middle
      }
      return low
    }
    low = next
    step *= 2
  }
  return low
}
