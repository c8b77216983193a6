import { isBlank } from '../text/plain-text.ts'
import { countByLines, type TokenBudget } from './budget.ts'
import {
  formsOf,
  listedDescription,
  type ListedSkill,
  type ListEntry,
  type ListForm,
  type ListingDetail,
} from './listing.ts'

/** Options of `fitList`. */
export interface FitOptions {
  /** The skills to list, in the order in which they are shown. */
  readonly skills: readonly ListedSkill[]
  /**
   * Returns the skills by rank, as indexes of `skills`: the last is cut first. Called if some have to be cut. Default: the
   * order in which they are shown.
   */
  readonly rank?: (() => readonly number[]) | undefined
  readonly budget: TokenBudget | undefined
  /** What the list can do without, the first to go first. Default: nothing. */
  readonly details?: readonly ListingDetail[] | undefined
  /** What the list never has, whatever the budget. Default: nothing. */
  readonly absent?: readonly ListingDetail[] | undefined
  /**
   * True: no skill is listed by its name alone, since there is a better way to find one. Default false.
   */
  readonly describedOnly?: boolean | undefined
  /** Cuts a description to a limit that applies whatever the budget. Default: no limit. */
  readonly bound?: ((description: string) => string) | undefined
  /** Returns the whole description of a skill. Default: as lists have it. */
  readonly describe?: ((manifest: ListedSkill['manifest']) => string) | undefined
  /** Returns the text to count: all that a model is shown for these entries and a number of unlisted skills. */
  readonly text: (entries: readonly ListEntry[], unlisted: number, form: ListForm) => string
}

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

/** How much a list shows. Sizes have an order: each shows everything that those before it show, and more. */
interface ListSize {
  /** How many skills are listed, by rank. */
  readonly listed: number
  /** How many of them have a description. */
  readonly described: number
  /** The longest description, in UTF-16 code units. */
  readonly maxChars: number
  readonly form: ListForm
}

/** A description of that length says what a skill is for and mostly when to use it; one much shorter says "When the user". */
const MIN_DESCRIPTION_CHARS = 120

/** Descriptions with more characters for each token of the budget do not fit, for nearly every counter. */
const MAX_CHARS_PER_TOKEN = 10

/** The note on unlisted skills takes as much as the names of at most so many. */
const MAX_NAMES_OF_NOTE = 40

/**
 * Cuts a list until it fits its budget. What says nothing about a skill goes first: see `ListingDetail`. Then descriptions
 * are cut to a common length, so that the longest are shortened first, but not below one that still tells; then they are
 * left out, beginning with the lowest rank; then names are dropped in the same order. The result is deterministic. It
 * exceeds the budget only if not even one name fits: then none is listed.
 */
export function fitList(options: FitOptions): FittedList {
  const { skills, budget, absent = [], describedOnly = false, bound, describe = listedDescription, text } = options
  const all = skills.length
  const details = (options.details ?? []).filter((detail) => !absent.includes(detail))
  const forms = formsOf(details, absent)
  const whole: ListSize = { listed: all, described: all, maxChars: Infinity, form: forms.at(-1)! }

  const descriptions = new Map<number, { readonly full: string; readonly shown: string }>()
  function descriptionOf(index: number): { readonly full: string; readonly shown: string } {
    const known = descriptions.get(index)
    if (known !== undefined) return known
    const full = describe(skills[index]!.manifest)
    const description = { full, shown: bound?.(full) ?? full }
    descriptions.set(index, description)
    return description
  }

  let ranked: readonly number[] | undefined
  function entriesOf({ listed, described, maxChars, form }: ListSize): readonly ListEntry[] {
    const order = described === all ? [...skills.keys()] : (ranked ??= options.rank?.() ?? [...skills.keys()])
    const withDescription = new Set(order.slice(0, described))
    return order
      .slice(0, listed)
      .toSorted((a, b) => a - b)
      .map((index) => {
        const { name, path } = skills[index]!
        if (!withDescription.has(index)) return { name }
        const description = shorten(descriptionOf(index).shown, maxChars)
        return form.has('locations') ? { name, description, location: path } : { name, description }
      })
  }

  /** Whether to count whole descriptions first: mostly they fit, and those of a large catalog would take long to count. */
  function mayBeWhole(tokens: number): boolean {
    let room = tokens * MAX_CHARS_PER_TOKEN
    return skills.every((_, index) => (room -= descriptionOf(index).shown.length) >= 0)
  }

  /** Finds the largest size that fits. Every size that is returned was counted. */
  function largestSize({ tokens: limit, countTokens, additive = false }: TokenBudget): {
    readonly size: ListSize
    readonly tokens: number
  } {
    const counter = additive ? countByLines(countTokens) : countTokens
    const count = (size: ListSize): number => counter(text(entriesOf(size), all - size.listed, size.form))
    const nothing: ListSize = { listed: 0, described: 0, maxChars: MIN_DESCRIPTION_CHARS, form: forms[0]! }
    let found = { size: nothing, tokens: 0 }
    /** Returns the tokens that a size leaves of the budget; less than 0: it does not fit. */
    function roomWith(size: ListSize): number {
      const tokens = count(size)
      if (tokens <= limit || size === nothing) found = { size, tokens }
      return limit - tokens
    }
    if (mayBeWhole(limit) && forms.toReversed().some((form) => roomWith({ ...whole, form }) >= 0)) return found

    const sizeOf = (listed: number): ListSize =>
      listed === 0 ? nothing : { ...nothing, listed, described: describedOnly ? listed : 0 }
    const listed = largest(0, all, (number) => roomWith(sizeOf(number)))
    // Without the note on what is missing, all may take less than some of them.
    if (listed < all && (all - listed > MAX_NAMES_OF_NOTE || roomWith(sizeOf(all)) < 0)) return found

    if (!describedOnly) {
      const described = largest(0, all, (number) => roomWith({ ...sizeOf(all), described: number }))
      if (described < all) return found
    }
    const longest = skills.reduce((most, _, index) => Math.max(most, descriptionOf(index).shown.length), 0)
    const tight: ListSize = { ...whole, form: forms[0]! }
    const maxChars = largest(MIN_DESCRIPTION_CHARS, longest, (chars) => roomWith({ ...tight, maxChars: chars }))
    if (maxChars >= longest) forms.every((form) => roomWith({ ...whole, form }) >= 0)
    return found
  }

  const { size, tokens } = budget === undefined || all === 0 ? { size: whole, tokens: 0 } : largestSize(budget)
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
    else if (description !== descriptionOf(index).full) {
      shortened.push(name)
      isBounded &&= description === descriptionOf(index).shown
    }
  }
  return {
    entries,
    form: size.form,
    isWhole: isBounded && withoutDescription.length + dropped.length === 0,
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

/** The first number that is tried is so much larger than the least, later ones at most so many times as far away. */
const [FIRST_STEP, MAX_GROWTH] = [16, 4]

/** Numbers that are tried by what the ones before have taken. */
const MAX_GUESSES = 10

/**
 * Returns the largest number up to `max` that leaves room, where every smaller one does too; `min` if none does. It tries
 * the number at which the room would end if every unit took as much as those that were tried last, then halves.
 */
function largest(min: number, max: number, roomWith: (number: number) => number): number {
  let low = min
  let room = roomWith(min)
  let exceeding = max + 1
  let step = FIRST_STEP
  let limit = FIRST_STEP
  for (let tries = 1; room >= 0 && exceeding - low > 1; tries++) {
    const guess = tries > MAX_GUESSES ? (exceeding - low) >> 1 : Math.min(step, limit)
    const next = low + Math.min(Math.max(1, guess), exceeding - low - 1)
    const left = roomWith(next)
    const perUnit = Math.max((room - left) / (next - low), Number.EPSILON)
    if (left < 0) exceeding = next
    else [low, room] = [next, left]
    limit = (next - min) * MAX_GROWTH
    step = Math.floor(room / perUnit)
  }
  return low
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
