import type { ListingBudget } from '../disclosure/budget.ts'
import { type TokenCounter, estimateTokens } from '@repertoire/skill-md/internal'
import { safeCounter } from '../text/safe-counter.ts'
import type { RepertoireOptions } from './options.ts'
import type { CountingFailure } from '../session/context.ts'

/** The budget of a repertoire's lists, and what became of the host's counter. */
interface ListCounting {
  readonly budget: ListingBudget | false
  /** Returns why the estimate was used in the place of the counter; undefined: it never was. */
  readonly failure: () => CountingFailure | undefined
}

/**
 * Returns the budget of a repertoire's lists. The model has one window: what a list may take of it is a share of the same.
 * A counter that fails keeps nobody from being shown a list: its tokens are estimated then.
 */
export function listCountingOf({ contextWindow, countTokens, listingBudget }: RepertoireOptions): ListCounting {
  let failure: CountingFailure | undefined
  if (listingBudget === false) return { budget: false, failure: () => failure }
  const safe = (count: TokenCounter): TokenCounter =>
    safeCounter(count, estimateTokens, (reason, cause) => {
      failure ??= { reason, ...(cause !== undefined && { cause }) }
    })
  const common = { ...(contextWindow !== undefined && { contextWindow }), ...(countTokens && { countTokens }) }
  const budget: ListingBudget =
    typeof listingBudget === 'object' && listingBudget !== null
      ? { ...common, ...listingBudget }
      : (listingBudget ?? common)
  const { countTokens: chosen } = budget ?? {}
  // Ours cannot fail, and is known by itself.
  const isForeign = typeof chosen === 'function' && chosen !== estimateTokens
  return { budget: isForeign ? { ...budget, countTokens: safe(chosen) } : budget, failure: () => failure }
}
