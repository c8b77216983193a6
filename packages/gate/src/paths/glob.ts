import { MAX_PATTERN_CHARS } from '../limits.ts'

/** One element of `match`: it matches any run of others, or one. */
interface Sequence<Pattern, Item> {
  readonly isRun: (pattern: Pattern) => boolean
  readonly isMatch: (pattern: Pattern, item: Item) => boolean
}

/**
 * Whether a sequence follows a pattern. Some elements match any run, the empty one included. A pattern
 * may come from a hostile skill, so no regular expression and no recursion: on a mismatch only the last run is
 * lengthened, which is enough, since an earlier one that were longer could only leave less to the later ones. That
 * bounds the steps by the product of the two lengths.
 */
export function matchRuns<Pattern, Item>(
  pattern: readonly Pattern[],
  items: readonly Item[],
  { isRun, isMatch }: Sequence<Pattern, Item>,
): boolean {
  let at = 0
  let item = 0
  let run = -1
  let resume = 0
  while (item < items.length) {
    const step = pattern[at]
    if (at < pattern.length && isRun(step!)) {
      run = at++
      resume = item
    } else if (at < pattern.length && isMatch(step!, items[item]!)) {
      at++
      item++
    } else if (run >= 0) {
      at = run + 1
      item = ++resume
    } else return false
  }
  while (at < pattern.length && isRun(pattern[at]!)) at++
  return at === pattern.length
}

const LETTERS: Sequence<string, string> = {
  isRun: (pattern) => pattern === '*',
  isMatch: (pattern, letter) => pattern === letter,
}

const LETTERS_AND_ONE: Sequence<string, string> = {
  ...LETTERS,
  isMatch: (pattern, letter) => pattern === '?' || pattern === letter,
}

export function matchText(pattern: string, text: string): boolean {
  return pattern.length <= MAX_PATTERN_CHARS && matchRuns(Array.from(pattern), Array.from(text), LETTERS)
}

/** One part of a path pattern, between two slashes. */
export interface PatternPart {
  readonly text: string
  readonly literal?: boolean
}

const PARTS: Sequence<PatternPart, string> = {
  isRun: ({ text, literal }) => text === '**' && literal !== true,
  isMatch: ({ text, literal }, part) =>
    literal === true || !/[*?]/.test(text)
      ? text === part
      : matchRuns(Array.from(text), Array.from(part), LETTERS_AND_ONE),
}

/**
 * Whether a path's parts follow a pattern's: `*` is any text within one part, `?` one character (a code point), `**`
 * as a whole part is any number of parts, none included, and at the pattern's end at least one. Hidden names are names
 * like any other. Brackets, braces and `!` are literal.
 * @param orBelow whether it may also be below what the pattern matches
 */
export function matchParts(pattern: readonly PatternPart[], parts: readonly string[], orBelow = false): boolean {
  const last = pattern.at(-1)
  const whole = last !== undefined && PARTS.isRun(last) ? [...pattern, { text: '*' }] : pattern
  return matchRuns(orBelow ? [...whole, { text: '**' }] : whole, parts, PARTS)
}
