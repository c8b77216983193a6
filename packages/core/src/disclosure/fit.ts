import type { TokenBudget } from './budget.ts'
import { type ListedSkill, type ListEntry, listedDescription } from './listing.ts'
import { shorten } from './shorten.ts'

/** What was cut from a list so that it fits its budget, by the names of the skills. */
export interface ListingCuts {
  /** Their descriptions are shortened. */
  readonly shortened: readonly string[]
  /** They are listed by their names alone. */
  readonly withoutDescription: readonly string[]
  /** They are not listed. They can be activated by name all the same. */
  readonly dropped: readonly string[]
  /** What the list takes, in tokens. Absent: there is no budget, and nothing was counted. */
  readonly tokens?: number
  /** What it may take, in tokens. Absent: there is no budget. */
  readonly budget?: number
}

/** A list that was cut to fit. */
export interface FittedList {
  /** Those that are listed, in the order given. */
  readonly entries: readonly ListEntry[]
  readonly cuts: ListingCuts
}

/** What the fitting of a list works on. */
export interface FitOptions {
  /** Those to be listed, in the order in which they are shown. */
  readonly skills: readonly ListedSkill[]
  /** The order in which they are kept, as indexes of `skills`: the last is cut first. Default: as shown. */
  readonly keep?: readonly number[]
  readonly budget: TokenBudget | undefined
  /** Cuts a description to what can be shown of it whatever the budget. Default: it can be shown whole. */
  readonly bound?: (description: string) => string
  /** The text that counts: all that a model is shown because of these entries, with so many that are not listed. */
  readonly text: (entries: readonly ListEntry[], unlisted: number) => string
}

/** The fewest code units of a description that are worth showing. */
const MIN_DESCRIPTION_CHARS = 24

/**
 * Cuts a list until it fits. First every description is cut to a common length, so that the longest give way first;
 * then descriptions are left out, those of the last to be kept first; then names are dropped in the same order. The
 * same input gives the same list. Over budget only where not even the first name fits: then none is listed.
 */
export function fitList({ skills, keep = [...skills.keys()], budget, bound, text }: FitOptions): FittedList {
  const rank = new Uint32Array(skills.length)
  for (const [place, index] of keep.entries()) rank[index] = place
  const descriptions: (string | undefined)[] = []
  const wholeOf = (index: number): string => (descriptions[index] ??= listedDescription(skills[index]!.manifest))
  const bounded: (string | undefined)[] = []
  const boundedOf = (index: number): string => (bounded[index] ??= bound?.(wholeOf(index)) ?? wholeOf(index))

  /** Names of the first `listed`, with descriptions of the first `described`, of at most so many code units. */
  function cutTo(listed: number, described: number, maxChars: number): readonly ListEntry[] {
    return [...skills.keys()]
      .filter((index) => rank[index]! < listed)
      .map((index) => {
        const { name, location } = skills[index]!
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
    // From the cheap end: of ten thousand skills no more is looked at than about what fits. A name is a token at least.
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
    const most = largest(MIN_DESCRIPTION_CHARS - 1, longest, (length) => fits(cutTo(all, all, length)))
    if (most >= MIN_DESCRIPTION_CHARS) return cutTo(all, all, most)
    return cutTo(
      all,
      largest(0, all, (count) => fits(cutTo(all, count, MIN_DESCRIPTION_CHARS))),
      MIN_DESCRIPTION_CHARS,
    )
  }

  const entries = fitted()
  const shown = new Map(entries.map((entry) => [entry.name, entry]))
  const namesWhere = (is: (entry: ListEntry | undefined, index: number) => boolean): readonly string[] =>
    skills.flatMap(({ name }, index) => (is(shown.get(name), index) ? [name] : []))
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

/** The largest number from `least` to `most` that fits, looked for from below. `least` is not asked about. */
function largest(least: number, most: number, fits: (count: number) => boolean): number {
  let low = least
  let step = 16
  while (low < most) {
    const next = Math.min(low + step, most)
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
