import { leastTokens } from '@repertoire/skill-md/internal'
import { entrySource } from './entry-source.ts'
import type { FitOptions } from './fit-options.ts'
import { byLines } from './lines.ts'
import { formsOf } from './list-form.ts'

/**
 * Whether some description of a list is certainly cut: by the words of the first few skills, where they alone exceed the
 * budget, otherwise by what their entries add to it. Nothing is certain of a counter of the host's.
 */
export function isCertainlyCut(options: Omit<FitOptions, 'text'>): boolean {
  const { skills, budget, details = [], entryText, separator = '\n', memory } = options
  if (budget?.additive !== true) return false
  const { boundedOf, entryOf } = entrySource(options)
  let words = 0
  for (let index = 0; index < skills.length; index++) {
    words += leastTokens(boundedOf(index))
    if (words > budget.tokens) return true
  }
  if (words * MAX_TOKENS_PER_WORD < budget.tokens) return false
  const tight = formsOf(details)[0]!
  const countTokens = byLines(budget.countTokens, memory?.lines)
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
