import {
  anyText,
  type Layer,
  listOf,
  number,
  withDefault,
  type OptionTable,
  type Skill,
  estimateTokens,
  type TokenCounter,
} from '@repertoire/skill-md/internal'

/** How much of a model's context the list of skills may take. */
export interface ListingBudget {
  /** The share of `context.window` that the list may take, more than 0 and at most 1. Default 0.02. */
  readonly share?: number
  /**
   * The names of skills that are cut last, the most important first: they keep their descriptions, and their place in
   * the list, as long as any skill does. A name that is not visible is ignored. Default: none.
   */
  readonly keep?: readonly string[]
}

/** A budget with defaults filled in. */
export interface TokenBudget {
  /** In tokens, a whole number. */
  readonly tokens: number
  readonly countTokens: TokenCounter
  /** The names of skills that are cut last. Default: none. */
  readonly keep?: readonly string[]
}

/** The context window of an unknown model, in tokens. */
export const CONTEXT_WINDOW = 200_000
const SHARE = 0.02

export const LISTING_BUDGET_OPTIONS: OptionTable<ListingBudget> = {
  share: withDefault(SHARE, number('', { above: 0, to: 1 })),
  keep: listOf(anyText, 'a list of skill names'),
}

/** Fills in the defaults of a budget. Returns undefined for `false`: the list is shown whole. */
export function resolveBudget(
  budget: ListingBudget | false,
  window: number = CONTEXT_WINDOW,
  countTokens: TokenCounter = estimateTokens,
): TokenBudget | undefined {
  if (budget === false) return undefined
  const { share = SHARE, keep = [] } = budget
  return { tokens: Math.floor(window * share), countTokens, keep: [...keep] }
}

type RankedSkill = Pick<Skill, 'name' | 'layer'> & { readonly manifest: Pick<Skill['manifest'], 'priority'> }

/** The names of the skills that were used up to a moment. */
export type UsedNames = Pick<ReadonlySet<string>, 'has' | 'size'>

interface RankSettings {
  /** The names that the host wants kept, the most important first. */
  readonly keep?: readonly string[] | undefined
  /** The names of skills that were used before. */
  readonly used?: UsedNames | undefined
  /** Highest first; a layer that is not named comes after all that are. */
  readonly layers?: readonly Layer[] | undefined
}

/**
 * Returns the indexes of skills by rank: those that the host keeps, then the higher priority, then those that were used
 * before, then the higher layer. What is equal in all of them is ordered by a hash of its name: the same at every step
 * and in every process, and no place in the alphabet.
 */
export function rankSkills(
  skills: readonly RankedSkill[],
  { keep = [], used, layers = [] }: RankSettings,
): readonly number[] {
  const places = new Map(keep.map((name, index) => [name, index] as const).toReversed())
  const layerRanks = new Map(layers.map((layer, index) => [layer, index]))
  const ranked = skills.map(({ name, layer, manifest }, index) => ({
    index,
    place: places.get(name) ?? keep.length,
    priority: manifest.priority,
    use: used?.has(name) === true ? 0 : 1,
    layerRank: layerRanks.get(layer) ?? layers.length,
    hash: hashOf(name),
  }))
  ranked.sort(
    (a, b) =>
      a.place - b.place || b.priority - a.priority || a.use - b.use || a.layerRank - b.layerRank || a.hash - b.hash,
  )
  return ranked.map(({ index }) => index)
}

/** FNV-1a with the last step of MurmurHash3: names that differ in their last letter only are far apart. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
