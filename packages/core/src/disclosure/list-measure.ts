import type { TokenBudget } from './budget.ts'
import { isCertainlyCut } from './certainly-cut.ts'
import type { EntrySource } from './entry-source.ts'
import { createFitMemory, MIN_DESCRIPTION_CHARS } from './fit-memory.ts'
import type { FitOptions } from './fit-options.ts'
import { byLines } from './lines.ts'
import type { ListForm } from './list-form.ts'
import type { ListMeasure, ListSize } from './list-size.ts'

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
  const { memory = createFitMemory(all) } = options
  const exact = budget.additive === true
  const countEntry = byLines(budget.countTokens, memory.lines)
  const countTokens = exact ? byLines(budget.countTokens, new Map(), memory.lines) : budget.countTokens
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
    const costs = described ? memory.costs : memory.nameCosts
    if (exact && costs[index]! > 0) return costs[index]!
    const added = entryText(entryOf(index, described ? MIN_DESCRIPTION_CHARS : undefined, tight), tight)
    if (exact) return (costs[index] = countEntry(added + separator))
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
