import { entrySource, type FitOptions } from './entry-source.ts'
import { formsOf, type ListEntry, type ListForm, type ListingDetail } from './listing.ts'
import { listMeasure } from './list-measure.ts'
import { type FoundSize, largestSize } from './list-size.ts'

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
interface FittedList {
  /** The listed skills, in the order given. */
  readonly entries: readonly ListEntry[]
  readonly form: ListForm
  readonly cuts: ListingCuts
  /** Whether every skill is listed, with as much of its description as can be shown whatever the budget. */
  readonly isWhole: boolean
  /** Whether it depends on the rank of the skills: some have a description or an entry, and others do not. */
  readonly ranked: boolean
}

/**
 * Cuts a list until it fits its budget. What says nothing about a skill goes first: see `ListingDetail`. Then descriptions
 * are cut to a common length, so that the longest are shortened first, but not below one that still tells; then they are
 * left out, beginning with the lowest rank; then names are dropped in the same order. The result is deterministic. It
 * exceeds the budget only if not even one name fits: then none is listed.
 */
export function fitList(options: FitOptions): FittedList {
  const { skills, budget, details = [] } = options
  const all = skills.length
  const forms = formsOf(details)
  const { entriesAt, wholeOf, ...source } = entrySource(options)
  const { size, tokens }: Omit<FoundSize, 'text'> =
    budget === undefined || all === 0
      ? { size: { listed: all, described: all, maxChars: Infinity, form: forms.at(-1)! }, tokens: 0 }
      : largestSize(listMeasure(options, { ...source, entriesAt, forms, budget }))

  const entries = entriesAt(size)
  const shortened: string[] = []
  const withoutDescription: string[] = []
  const dropped: string[] = []
  let isWhole = true
  // Both are in the same order.
  let next = 0
  for (let index = 0; index < all; index++) {
    const { name } = skills[index]!
    const entry = entries[next]
    if (entry?.name !== name) dropped.push(name)
    else {
      next++
      if (entry.description === undefined) withoutDescription.push(name)
      else if (entry.description !== wholeOf(index)) {
        shortened.push(name)
        isWhole &&= entry.description === source.boundedOf(index)
      }
    }
  }
  return {
    entries,
    form: size.form,
    isWhole: isWhole && withoutDescription.length + dropped.length === 0,
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
