import type { TokenBudget } from './budget.ts'
import { type EntrySource, entrySource, type FitOptions, MIN_DESCRIPTION_CHARS } from './entry-source.ts'
import { formsOf, type ListForm } from './listing.ts'
import type { ListMeasure, ListSize } from './list-size.ts'
import { leastTokens, type TokenCounter } from '@repertoire/skill-md/internal'
import { isBlank } from '../text/blank.ts'

/** What a list is made of, and what it has to fit. */
interface Measured extends Omit<EntrySource, 'wholeOf'> {
  /** From the one without details to the whole one. */
  readonly forms: readonly ListForm[]
  readonly budget: TokenBudget
}

/** Returns what the size of a list is found with. */
export function listMeasure(options: FitOptions, { budget, forms, ...source }: Measured): ListMeasure {
  const { skills, text, entryText, describedOnly = false, separator = '\n' } = options
  const { rank, boundedOf, entryOf, entriesAt } = source
  const all = skills.length
  const exact = budget.additive === true
  const countTokens = exact ? byLines(budget.countTokens) : budget.countTokens
  const costs: (number | undefined)[] = []
  const nameCosts: (number | undefined)[] = []
  const tight = forms[0]!
  const sampled = Math.min(all, SAMPLE)

  function sample({ described, maxChars, form }: ListSize): string {
    const indexes = Array.from({ length: sampled }, (_, n) => Math.floor((n * all) / sampled))
    const isNamed = described === 0 && !describedOnly
    return text(
      indexes.map((index) => entryOf(index, isNamed ? undefined : maxChars, form)),
      0,
      form,
    )
  }

  let tokensPerChar: number | undefined
  function costOf(position: number, described: boolean): number {
    const index = rank()[position]!
    const known = described ? costs : nameCosts
    if (known[index] !== undefined) return known[index]
    const added = entryText(entryOf(index, described ? MIN_DESCRIPTION_CHARS : undefined, tight), tight)
    if (exact) return (known[index] = countTokens(added + separator))
    if (tokensPerChar === undefined) {
      const few = sample({ listed: 0, described: 0, maxChars: MIN_DESCRIPTION_CHARS, form: tight })
      tokensPerChar = few === '' ? 0 : countTokens(few) / few.length
    }
    return (added.length + 1) * tokensPerChar
  }

  let isCut: boolean | undefined
  return {
    budget: { ...budget, countTokens },
    skills: all,
    forms,
    describedOnly,
    minChars: MIN_DESCRIPTION_CHARS,
    text: (size) => text(entriesAt(size), all - size.listed, size.form),
    sample: (size) => ({ text: sample(size), skills: sampled }),
    costOf,
    isWholeTooLong: () => (isCut ??= options.isCut?.() ?? isCertainlyCut(options)),
    lengths: () => skills.map((_, index) => boundedOf(index).length),
  }
}

/** As many skills as are looked at to guess how long a list is. */
const SAMPLE = 8

/**
 * Whether some description of a list is certainly cut: by the words of the first few skills, where they alone exceed the
 * budget, otherwise by what their entries add to it. Nothing is certain of a counter of the host's.
 */
export function isCertainlyCut(options: Omit<FitOptions, 'text'>): boolean {
  const { skills, budget, details = [], entryText, separator = '\n' } = options
  if (budget?.additive !== true) return false
  const { boundedOf, entryOf } = entrySource(options)
  let words = 0
  for (let index = 0; index < skills.length; index++) {
    words += leastTokens(boundedOf(index))
    if (words > budget.tokens) return true
  }
  if (words * MAX_TOKENS_PER_WORD < budget.tokens) return false
  const tight = formsOf(details)[0]!
  const countTokens = byLines(budget.countTokens)
  // The last line may lack its break.
  let tokens = -1
  for (let index = 0; index < skills.length; index++) {
    tokens += countTokens(`${entryText(entryOf(index, Infinity, tight), tight)}${separator}`)
    if (tokens > budget.tokens) return true
  }
  return false
}

/** With more of them for each word of their descriptions, few skills are worth measuring twice. */
const MAX_TOKENS_PER_WORD = 3

/**
 * Returns a counter for texts that have most of their lines in common, where the tokens of lines add up to those of the
 * whole: each line is counted once. A line ends where no other white space follows its break, since a counter takes
 * white space in a row as one.
 */
function byLines(countTokens: TokenCounter): TokenCounter {
  const counted = new Map<string, number>()
  const tokensOf = (line: string): number => {
    const before = counted.get(line)
    if (before !== undefined) return before
    const tokens = countTokens(line)
    counted.set(line, tokens)
    return tokens
  }
  return (text) => {
    let tokens = 0
    let start = 0
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
      if (at + 1 === text.length || isBlank(text.charCodeAt(at + 1))) continue
      tokens += tokensOf(text.slice(start, at + 1))
      start = at + 1
    }
    return tokens + tokensOf(text.slice(start))
  }
}
