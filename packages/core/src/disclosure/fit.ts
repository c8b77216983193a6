import type { TokenBudget } from './budget.ts'
import { formsOf, type ListForm, type ListingDetail } from './list-form.ts'
import { byLines } from './lines.ts'
import { largestSize, type ListSize } from './list-size.ts'
import { type ListedSkill, type ListEntry, listedDescription } from './listing.ts'
import { shorten } from './shorten.ts'

/** What was cut from a list so that it fits its budget, by the names of the skills. */
export interface ListingCuts {
  /** What was left out of every entry, though it says nothing about what a skill is for; the first went first. */
  readonly details: readonly ListingDetail[]
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
  readonly form: ListForm
  readonly cuts: ListingCuts
  /** Whether it depends on the rank of the skills: some have a description or an entry, and others do not. */
  readonly ranked: boolean
}

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
}

/** A description of that length says what a skill is for and mostly when to use it; one much shorter says "When the user". */
const MIN_DESCRIPTION_CHARS = 120

/** As many skills as are looked at to guess how long a list is. */
const SAMPLE = 8

/**
 * Cuts a list until it fits its budget. What says nothing about a skill goes first: see `ListingDetail`. Then descriptions
 * are cut to a common length, so that the longest are shortened first, but not below one that still tells; then they are
 * left out, beginning with the lowest rank; then names are dropped in the same order. The result is deterministic. It
 * exceeds the budget only if not even one name fits: then none is listed.
 */
export function fitList(options: FitOptions): FittedList {
  const { skills, budget, details = [], describedOnly = false } = options
  const { text, entryText, bound, describe = listedDescription } = options
  const all = skills.length
  const forms = formsOf(details)
  const descriptions: (string | undefined)[] = []
  const wholeOf = (index: number): string => (descriptions[index] ??= describe(skills[index]!.manifest))
  const bounded: (string | undefined)[] = []
  const boundedOf = (index: number): string => (bounded[index] ??= bound?.(wholeOf(index)) ?? wholeOf(index))
  let ranked: readonly number[] | undefined
  const rank = (): readonly number[] => (ranked ??= options.rank?.() ?? [...skills.keys()])

  const entryOf = (index: number, maxChars: number | undefined, form: ListForm): ListEntry => {
    const { name } = skills[index]!
    if (maxChars === undefined) return { name }
    const description = shorten(boundedOf(index), maxChars)
    return form.has('locations') ? { name, description, location: skills[index]!.path } : { name, description }
  }
  function entriesAt({ listed, described, maxChars, form }: ListSize): readonly ListEntry[] {
    if (described === all) return skills.map((_, index) => entryOf(index, maxChars, form))
    const order = rank().slice(0, listed)
    const withDescription = new Set(order.slice(0, described))
    // Typed, since its numbers are sorted as such, and fast.
    return Array.from(Uint32Array.from(order).toSorted(), (index) =>
      entryOf(index, withDescription.has(index) ? maxChars : undefined, form),
    )
  }
  const textAt = (size: ListSize): string => text(entriesAt(size), all - size.listed, size.form)
  const sampled = Math.min(all, SAMPLE)
  const largestFitting = (given: TokenBudget): { readonly size: ListSize; readonly tokens: number } =>
    largestSize({
      budget: { ...given, countTokens: given.additive === true ? byLines(given.countTokens) : given.countTokens },
      skills: all,
      forms,
      describedOnly,
      minChars: MIN_DESCRIPTION_CHARS,
      text: textAt,
      sample({ described, maxChars, form }) {
        const indexes = Array.from({ length: sampled }, (_, n) => Math.floor((n * all) / sampled))
        const entries = indexes.map((index) =>
          entryOf(index, described === 0 && !describedOnly ? undefined : maxChars, form),
        )
        return { text: text(entries, 0, form), skills: sampled }
      },
      entryText: (position, maxChars) => entryText(entryOf(rank()[position]!, maxChars, forms[0]!), forms[0]!),
      lengths: () => skills.map((_, index) => boundedOf(index).length),
    })
  const { size, tokens } =
    budget === undefined || all === 0
      ? { size: { listed: all, described: all, maxChars: Infinity, form: forms.at(-1)! }, tokens: 0 }
      : largestFitting(budget)

  const entries = entriesAt(size)
  const shortened: string[] = []
  const withoutDescription: string[] = []
  const dropped: string[] = []
  // Both are in the same order.
  let next = 0
  for (const [index, { name }] of skills.entries()) {
    const entry = entries[next]
    if (entry?.name !== name) dropped.push(name)
    else {
      next++
      if (entry.description === undefined) withoutDescription.push(name)
      else if (entry.description !== wholeOf(index)) shortened.push(name)
    }
  }
  return {
    entries,
    form: size.form,
    ranked: size.described < all,
    cuts: {
      details: details.filter((detail) => !size.form.has(detail)),
      shortened,
      withoutDescription,
      dropped,
      ...(budget !== undefined && { tokens, budget: budget.tokens }),
    },
  }
}
