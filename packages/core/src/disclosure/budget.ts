import {
  anyText,
  functionOf,
  listOf,
  number,
  withDefault,
  type OptionTable,
  estimateTokens,
  type TokenCounter,
} from '@repertoire/skill-md/internal'

/** How much of a model's context the list of skills may take. */
export interface ListingBudget {
  /** The model's context window, in tokens. Default 200,000, or the repertoire's `contextWindow`. */
  readonly contextWindow?: number
  /** The share of the context window that the list may take, more than 0 and at most 1. Default 0.02. */
  readonly share?: number
  /** Default: the repertoire's `countTokens`, an estimate. It must be pure: the same text always has the same count. */
  readonly countTokens?: TokenCounter
  /**
   * The names of skills that are cut last, the most important first: they keep their descriptions, and their place in the
   * list, as long as any skill does. A name that is not visible is ignored. Default: none.
   */
  readonly keep?: readonly string[]
}

/** A budget with defaults filled in. */
export interface TokenBudget {
  /** In tokens, a whole number. */
  readonly tokens: number
  readonly countTokens: TokenCounter
  /** Whether the tokens of lines add up to those of the whole. Default false: a counter of the host's may join them. */
  readonly additive?: boolean
  /** The names of skills that are cut last. Default: none. */
  readonly keep?: readonly string[]
}

/** The context window of a model of which nothing is known, in tokens. */
export const CONTEXT_WINDOW = 200_000
const SHARE = 0.02

/** The options of a budget. */
export const LISTING_BUDGET_OPTIONS: OptionTable<ListingBudget> = {
  contextWindow: withDefault('`contextWindow`', number('tokens', { above: 0 })),
  share: withDefault(SHARE, number('', { above: 0, to: 1 })),
  countTokens: withDefault('`countTokens`', functionOf('a function of a text that returns its tokens')),
  keep: listOf(anyText, 'a list of skill names'),
}

/** Fills in the defaults of a budget. Returns undefined for `false`: the list is shown whole. */
export function resolveBudget(budget: ListingBudget | false = {}): TokenBudget | undefined {
  if (budget === false) return undefined
  const { contextWindow = CONTEXT_WINDOW, share = SHARE, countTokens = estimateTokens, keep = [] } = budget
  return {
    tokens: Math.floor(contextWindow * share),
    countTokens: (text) => checkedCount(countTokens(text)),
    additive: countTokens === estimateTokens,
    keep: [...keep],
  }
}

// Every comparison with NaN is false: without this check the list would be cut to nothing for no visible reason.
function checkedCount(tokens: number): number {
  if (Number.isFinite(tokens) && tokens >= 0) return tokens
  throw new TypeError(`\`listingBudget.countTokens\` gave ${tokens}. It must give a number of tokens, 0 or more.`)
}
