import type { TokenBudget } from './budget.ts'
import type { ListForm } from './listing.ts'

/** How much a list shows. Sizes have an order: each shows everything that those before it show, and more. */
export interface ListSize {
  /** How many skills are listed, by rank. */
  readonly listed: number
  /** How many of them have a description. */
  readonly described: number
  /** The longest description, in UTF-16 code units. */
  readonly maxChars: number
  readonly form: ListForm
}

/** What a list is measured by. */
export interface ListMeasure {
  readonly budget: TokenBudget
  /** The number of skills. */
  readonly skills: number
  /** From the one without details to the whole one. */
  readonly forms: readonly ListForm[]
  /** Whether no skill is listed by its name alone. */
  readonly describedOnly: boolean
  /** The length below which descriptions are not cut, in UTF-16 code units. */
  readonly minChars: number
  /** All that a model is shown of a list of this size. */
  readonly text: (size: ListSize) => string
  /** The same of a few skills spread over all, as if there were no others, and how many they are. */
  readonly sample: (size: ListSize) => { readonly text: string; readonly skills: number }
  /**
   * Returns the tokens that the skill of this rank adds to a text without details, by its name or, if `described`, by its
   * description of the shortest length too: exactly where the counter is additive, otherwise an estimate.
   */
  readonly costOf: (rank: number, described: boolean) => number
  /** Whether the whole descriptions of all certainly take more than the budget. */
  readonly isWholeTooLong: () => boolean
  /** The lengths of all descriptions. */
  readonly lengths: () => readonly number[]
}

/** A size, and what was counted of it. */
export interface FoundSize {
  readonly size: ListSize
  readonly tokens: number
  readonly text: string
}

/**
 * Returns the largest size that fits the budget, and its tokens. What is estimated only decides where the search begins:
 * every size that is returned was counted, unless it is the one that shows nothing.
 */
export function largestSize(measure: ListMeasure): FoundSize {
  const { budget, skills: all, forms, describedOnly, minChars, text } = measure
  const tight = forms[0]!
  const nothing: ListSize = { listed: 0, described: 0, maxChars: minChars, form: tight }
  const names: ListSize = { ...nothing, listed: all }
  const telling: ListSize = { ...names, described: all }
  const milestones = [
    ...(describedOnly ? [] : [names]),
    telling,
    ...forms.map((form) => ({ ...telling, maxChars: Infinity, form })),
  ]
  const counted = new Map<ListSize, number>()
  let best: FoundSize | undefined
  function fits(size: ListSize): boolean {
    const shown = text(size)
    const tokens = budget.countTokens(shown)
    counted.set(size, tokens)
    if (tokens > budget.tokens) return false
    best = { size, tokens, text: shown }
    return true
  }

  const reached = lastMilestone(measure, milestones, fits)
  const from = milestones[reached]
  if (from === undefined) {
    const sizeOf = (listed: number): ListSize => ({ ...nothing, listed, described: describedOnly ? listed : 0 })
    const range = { min: 0, max: all - 1, guess: guessListed(measure), trusted: budget.additive === true }
    const count = largest(range, (listed) => fits(sizeOf(listed)))
    // Without the note on what is missing, all may take less than all but one.
    if (count === all - 1) fits(milestones[0]!)
  } else if (from === names) {
    const guess = guessDescribed(measure, counted.get(names)!)
    const range = { min: 0, max: all - 1, guess, trusted: budget.additive === true }
    largest(range, (described) => fits({ ...names, described }))
  } else if (from === telling) {
    const longest = measure.lengths().reduce((most, length) => Math.max(most, length), minChars)
    const shortest = counted.get(telling)!
    const whole = estimate(measure, { ...telling, maxChars: Infinity })
    const guess = guessLength(measure, shortest, { maxChars: Infinity, tokens: whole })
    const sizeOf = (maxChars: number): ListSize => ({ ...telling, maxChars })
    // What the guess really takes says how far it is from the result: by a few characters more often than not.
    const first = sizeOf(Math.min(Math.max(guess, minChars + 1), longest))
    const range = fits(first) ? { min: first.maxChars, max: longest } : { min: minChars, max: first.maxChars - 1 }
    const better = guessLength(measure, shortest, { maxChars: first.maxChars, tokens: counted.get(first)! })
    largest({ ...range, guess: better }, (maxChars) => fits(sizeOf(maxChars)))
  }
  if (best !== undefined) return best
  const shown = text(nothing)
  return { size: nothing, tokens: budget.countTokens(shown), text: shown }
}

/** Returns the index of the last of growing sizes that fits; -1 where none does. Not all of them are counted. */
function lastMilestone(
  measure: ListMeasure,
  milestones: readonly ListSize[],
  fits: (size: ListSize) => boolean,
): number {
  // One that is certainly too large, or far too large by the estimate, is not even made.
  const mayFit = (index: number, factor: number): boolean =>
    index < milestones.length &&
    !isTooLong(measure, milestones[index]!) &&
    estimate(measure, milestones[index]!) <= factor * measure.budget.tokens
  if (!mayFit(0, FAR)) return -1
  let index = milestones.length - 1
  while (index >= 0 && !mayFit(index, 1)) index--
  if (mayFit(index + 1, FAR)) index++
  if (index >= 0 && fits(milestones[index]!)) {
    while (mayFit(index + 1, FAR) && fits(milestones[index + 1]!)) index++
    return index
  }
  do index--
  while (index >= 0 && !fits(milestones[index]!))
  return Math.max(index, -1)
}

/** How many times the budget an estimate is that is not checked. */
const FAR = 2

/** Whether a size that shows all skills certainly does not fit. */
function isTooLong({ budget, skills: all, costOf, isWholeTooLong }: ListMeasure, size: ListSize): boolean {
  if (budget.additive !== true) return false
  if (size.maxChars === Infinity) return isWholeTooLong()
  // The last line may lack its break.
  let tokens = -1
  for (let rank = 0; rank < all; rank++) {
    tokens += costOf(rank, size.described > 0)
    if (tokens > budget.tokens) return true
  }
  return false
}

/** Returns an estimate of the tokens of a size, by those of a few skills. */
function estimate({ budget, skills: all, sample }: ListMeasure, size: ListSize): number {
  const { text, skills } = sample(size)
  return (budget.countTokens(text) * all) / skills
}

/** Returns how many skills are likely to fit. */
function guessListed({ budget, skills: all, describedOnly, minChars, costOf, text, forms }: ListMeasure): number {
  const empty: ListSize = { listed: 0, described: 0, maxChars: minChars, form: forms[0]! }
  let room = budget.tokens - budget.countTokens(text(empty))
  for (let rank = 0; rank < all; rank++) {
    room -= costOf(rank, describedOnly)
    if (room < 0) return rank
  }
  return all
}

/** Returns how many skills are likely to have room for a description, where their names take so many tokens. */
function guessDescribed({ budget, skills: all, costOf }: ListMeasure, tokens: number): number {
  let room = budget.tokens - tokens
  for (let rank = 0; rank < all; rank++) {
    room -= costOf(rank, true) - costOf(rank, false)
    if (room < 0) return rank
  }
  return all
}

/**
 * Returns the length of descriptions that is likely to fit, from what the shortest ones take.
 * @param other what those of another length take
 */
function guessLength(
  { budget, minChars, lengths }: ListMeasure,
  shortest: number,
  other: { readonly maxChars: number; readonly tokens: number },
): number {
  const all = lengths().filter((length) => length > minChars)
  const charsAt = (limit: number): number => all.reduce((sum, length) => sum + Math.min(length, limit), 0)
  const least = charsAt(minChars)
  const added = charsAt(other.maxChars) - least
  const chars = least + ((budget.tokens - shortest) / (other.tokens - shortest)) * added
  return largest(
    { min: minChars, max: all.reduce((a, b) => Math.max(a, b), minChars), guess: minChars },
    (limit) => charsAt(limit) <= chars,
  )
}

/** Where the largest number is searched for. */
interface Range {
  /** It is assumed to fit. */
  readonly min: number
  readonly max: number
  /** Where the search begins: the nearer to the result, the fewer numbers are tried. */
  readonly guess: number
  /** Whether the guess is never too small, so that it is the result if it fits. Default false. */
  readonly trusted?: boolean
}

/**
 * Returns the largest number of a range that fits, where every smaller one does too. Tries about twice as many numbers as
 * the distance from the guess has binary digits.
 */
function largest({ min, max, guess, trusted = false }: Range, fits: (count: number) => boolean): number {
  if (max <= min) return min
  const start = Math.min(Math.max(guess, min + 1), max)
  // Away from the guess in growing steps, until the border is between two numbers.
  if (!fits(start)) {
    let high = start
    for (let step = 1; ; step *= 2) {
      const next = Math.max(high - step, min)
      if (next === min || fits(next)) return between(next, high, fits)
      high = next
    }
  }
  if (trusted) return start
  let low = start
  for (let step = 1; low < max; step *= 2) {
    const next = Math.min(low + step, max)
    if (!fits(next)) return between(low, next, fits)
    low = next
  }
  return max
}

/** Returns the largest number that fits, from one that does and one that does not. */
function between(fitting: number, exceeding: number, fits: (count: number) => boolean): number {
  let [low, high] = [fitting, exceeding]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (fits(middle)) low = middle
    else high = middle
  }
  return low
}
