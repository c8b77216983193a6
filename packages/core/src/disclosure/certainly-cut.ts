import { leastTokens } from '../text/tokens.ts'
import type { FitOptions } from './fit-options.ts'
import { listedDescription } from './listing.ts'

/**
 * Whether some description of a list is certainly cut, whatever the list looks like: by the words of the first few
 * skills, where they alone exceed the budget. Nothing is certain of a counter of the host's.
 */
export function isCertainlyCut({
  skills,
  budget,
  bound,
  describe = listedDescription,
}: Pick<FitOptions, 'skills' | 'budget' | 'bound' | 'describe'>): boolean {
  if (budget?.additive !== true) return false
  let tokens = 0
  for (const { manifest } of skills) {
    const description = describe(manifest)
    tokens += leastTokens(bound?.(description) ?? description)
    if (tokens > budget.tokens) return true
  }
  return false
}
