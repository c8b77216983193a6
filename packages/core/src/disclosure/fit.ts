import { isBlank } from '../text/plain-text.ts'
import type { TokenBudget } from './budget.ts'
import { listedDescription, type ListedSkill, type ListEntry, type ListingDetail } from './listing.ts'

export interface FitOptions {
  /** The skills to list, in the order in which they are shown. */
  readonly skills: readonly ListedSkill[]
  /**
   * Returns the skills by rank, as indexes of `skills`: the last is cut first. Called if some have to be cut. Default:
   * the order in which they are shown.
   */
  readonly rank?: (() => readonly number[]) | undefined
  readonly budget: TokenBudget | undefined
  /** What the list has, and can do without: a tight list has none of it. Default: nothing. */
  readonly details?: readonly ListingDetail[] | undefined
  /** True: no skill is listed by its name alone, since there is a better way to find one. Default false. */
  readonly describedOnly?: boolean | undefined
  /** Cuts a description to a limit that applies whatever the budget. Default: no limit. */
  readonly bound?: ((description: string) => string) | undefined
  /** Returns the whole description of a skill. Default: as lists have it. */
  readonly describe?: ((manifest: ListedSkill['manifest']) => string) | undefined
  /** Returns the text to count: all that a model is shown for these entries and a number of unlisted skills. */
  readonly text: (entries: readonly ListEntry[], unlisted: number, isTight: boolean) => string
}

/** What was cut from a list so that it fits its budget, by the names of the skills. */
export interface ListingCuts {
  /** What was left out of every entry, though it says nothing about what a skill is for. */
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

interface ListSize {
  readonly listed: number
  readonly described: number
  /** The longest description, in UTF-16 code units. */
  readonly maxChars: number
  readonly isTight: boolean
}

/** A description of that length says what a skill is for, and mostly when to use it; a shorter one does not. */
const MIN_DESCRIPTION_CHARS = 120

/** Descriptions with more characters for each token of the budget do not fit, for nearly every counter. */
const MAX_CHARS_PER_TOKEN = 10

/** Prose has fewer, so that a first guess at how much fits is rather too high: a list is only ever cut. */
const PROSE_CHARS_PER_TOKEN = 5

/**
 * Cuts a list until it fits its budget. What says nothing about a skill goes first: see `ListingDetail`. Then
 * descriptions are cut to a common length, so that the longest are shortened first, but not below one that still tells;
 * then they are left out, beginning with the lowest rank; then names are dropped in the same order. The result is
 * deterministic. It exceeds the budget only if not even one name fits: then none is listed.
 */
export function fitList(options: FitOptions) {
  const { skills, budget, details = [], describedOnly = false, bound, text } = options
  const all = skills.length
  const isLocated = details.includes('locations')
  const whole: ListSize = { listed: all, described: all, maxChars: Infinity, isTight: false }
  const tight: ListSize = { ...whole, isTight: true }

  const descriptions = skills.map(({ manifest }) => {
    const full = (options.describe ?? listedDescription)(manifest)
    return { full, shown: bound?.(full) ?? full }
  })
  let order: readonly number[] | undefined
  function rankedFor({ described }: ListSize): readonly number[] {
    // In an order that costs nothing where all are alike.
    return described === all ? [...skills.keys()] : (order ??= options.rank?.() ?? [...skills.keys()])
  }
  function entriesOf(size: ListSize): readonly ListEntry[] {
    const { listed, described, maxChars, isTight } = size
    const ranked = rankedFor(size)
    const withDescription = new Set(ranked.slice(0, described))
    return ranked
      .slice(0, listed)
      .toSorted((a, b) => a - b)
      .map((index) => {
        const { name, path } = skills[index]!
        if (!withDescription.has(index)) return { name }
        const description = shorten(descriptions[index]!.shown, maxChars)
        return isLocated && !isTight ? { name, description, location: path } : { name, description }
      })
  }

  function fitTo({ tokens: limit, countTokens }: TokenBudget): { readonly size: ListSize; readonly tokens: number } {
    let found = { size: whole, tokens: 0 }
    /** Counts a list, and keeps it if it fits. Where descriptions alone are too long, returns their likely size. */
    function measure(size: ListSize): number {
      const described = rankedFor(size).slice(0, size.described)
      const lengths = described.map((index) => Math.min(descriptions[index]!.shown.length, size.maxChars))
      const chars = lengths.reduce((sum, length) => sum + length, 0)
      if (chars / MAX_CHARS_PER_TOKEN > limit) return chars / PROSE_CHARS_PER_TOKEN
      const tokens = countTokens(text(entriesOf(size), all - size.listed, size.isTight))
      if (tokens <= limit || size.listed === 0) found = { size, tokens }
      return tokens
    }
    /** Cuts the list of a size between one that fits and one that does not, by what it is too long, until it fits. */
    function cut(low: number, high: number, sizeOf: (number: number) => ListSize): void {
      const { tokens: base } = found
      let number = high
      let tokens = measure(sizeOf(high))
      while (tokens > limit && number > low) {
        const share = (limit - base) / (tokens - base)
        number = Math.min(number - 1, low + Math.floor((number - low) * share))
        tokens = measure(sizeOf(number))
      }
    }
    if (measure(whole) <= limit || measure(tight) <= limit) return found
    const short = { ...tight, maxChars: MIN_DESCRIPTION_CHARS }
    const names = { ...short, described: 0 }
    if (measure(short) <= limit) {
      const longest = Math.max(...descriptions.map(({ shown }) => shown.length))
      cut(MIN_DESCRIPTION_CHARS, longest, (maxChars) => ({ ...tight, maxChars }))
    } else if (!describedOnly && all <= limit && measure(names) <= limit) {
      cut(0, all, (described) => ({ ...names, described }))
    } else if (measure({ ...names, listed: 0 }) <= limit) {
      cut(0, Math.min(all, limit), (listed) => ({ ...names, listed, described: describedOnly ? listed : 0 }))
    }
    return found
  }

  const { size, tokens } = budget === undefined ? { size: whole, tokens: undefined } : fitTo(budget)
  const entries = entriesOf(size)
  const shown = new Map(entries.map(({ name, description }) => [name, description]))
  const shortened: string[] = []
  const withoutDescription: string[] = []
  const dropped: string[] = []
  let isBounded = true
  for (const [index, { name }] of skills.entries()) {
    const description = shown.get(name)
    if (!shown.has(name)) dropped.push(name)
    else if (description === undefined) withoutDescription.push(name)
    else if (description !== descriptions[index]!.full) {
      shortened.push(name)
      isBounded &&= description === descriptions[index]!.shown
    }
  }
  return {
    entries,
    isTight: size.isTight,
    isWhole: isBounded && withoutDescription.length + dropped.length === 0,
    /** Whether it depends on the rank of the skills: some have a description or an entry, and others do not. */
    ranked: size.described < all,
    cuts: {
      details: size.isTight ? details : [],
      shortened,
      withoutDescription,
      dropped,
      tokens,
      budget: budget?.tokens,
    },
  }
}

/**
 * Returns a text of at most `maxChars` UTF-16 code units: the text itself, or its beginning with an ellipsis. It is cut
 * at the end of a word, unless that would remove more than half of it, as in languages that are written without spaces.
 */
export function shorten(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const room = Math.max(0, maxChars - 1)
  let gap = room
  while (gap * 2 > room && !isBlank(text.charCodeAt(gap))) gap--
  const cut = gap * 2 > room ? gap : withoutHalf(text, room)
  // A loop, since a regular expression that ends in `+$` takes quadratic time on a run of blanks.
  let end = cut
  while (end > 0 && isTrailing(text.charCodeAt(end - 1))) end--
  return `${text.slice(0, end)}…`
}

/** Returns where to cut, so that no half of a pair of units is left. */
function withoutHalf(text: string, end: number): number {
  const last = end === 0 ? 0 : text.charCodeAt(end - 1)
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end
}

/** Removed at the end of a shortened text: blanks, and joiners and variation selectors that belong to what was cut. */
function isTrailing(code: number): boolean {
  return isBlank(code) || code === 0x200c || code === 0x200d || (code >= 0xfe00 && code <= 0xfe0f)
}
