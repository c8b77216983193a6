import {
  number,
  signal as signalKind,
  withDefault,
  checkOptions,
  type Diagnostic,
  type OptionTable,
  type Skill,
} from '@repertoire/skill-md/internal'
import type { SearchMatch } from '../search/text-index.ts'
import { untilAborted } from '../time-limit.ts'
import { FOR_VIEWER, type ViewerOptions } from './view.ts'

/** What a search may find. */
export interface SearchOptions extends ViewerOptions {
  /** The most skills that are found, 1 or more. Default 10. */
  readonly limit?: number | undefined
  /** The search is no longer waited for when it aborts. */
  readonly signal?: AbortSignal | undefined
}

/** A skill that was found. */
export interface SkillHit {
  readonly name: string
  readonly description: string
  /** More than 0, at most 1: how it compares with the others of the same search, and nothing else. */
  readonly score: number
  /** Which words of the query it has, and where. Empty: it was found by a part of its name, or by `catalog.rank`. */
  readonly why: readonly SearchMatch[]
}

/** What a search has found. */
export interface SkillSearch {
  /** Best first, skills that score the same by name. Empty: none fits. */
  readonly hits: readonly SkillHit[]
  /** What was not searched: bodies that cannot be read, a `rank` that failed. */
  readonly diagnostics: readonly Diagnostic[]
}

/** Searches the skills of one snapshot. */
export type SearchSkills = (query: string | readonly string[], options?: SearchOptions) => Promise<SkillSearch>

/**
 * Ranks skills for a search by other means than their words, such as a model of embeddings. It has two seconds.
 * @param query what is searched for; of several phrases, each on a line
 * @param skills those that the searcher may see
 * @param options.signal aborts where the answer is no longer waited for
 * @returns the names of those that fit, the best first. Other names are left out. Where it throws, or does not answer, the
 * search goes by words, and `RANK_FAILED` says so
 */
export type SkillRank = (
  query: string,
  skills: readonly { readonly name: string; readonly description: string }[],
  options: { readonly signal: AbortSignal },
) => readonly string[] | PromiseLike<readonly string[]>

const MAX_HITS = 10

export const SEARCH_OPTIONS: OptionTable<SearchOptions> = {
  limit: withDefault(MAX_HITS, number('skills', { from: 1, isWhole: true })),
  ...FOR_VIEWER,
  signal: signalKind,
}

/** Returns the search in some skills. Their index is made with the first search, and kept as long as the snapshot is. */
export function createSearch(skills: readonly Skill[], rank: SkillRank | undefined): SearchSkills {
  let search: ReturnType<(typeof import('./searcher.ts'))['createSearcher']> | undefined
  return async (query, options = {}) => {
    checkOptions('search', SEARCH_OPTIONS, options, "search('query', { limit: 5 })")
    const { limit = MAX_HITS, viewer, signal } = options
    checkQuery(query)
    signal?.throwIfAborted()
    const { createSearcher } = await import('./searcher.ts')
    search ??= createSearcher(skills, rank)
    return untilAborted(search(query, { limit, viewer, signal }), signal)
  }
}

function checkQuery(query: unknown): void {
  if (typeof query === 'string') return
  if (Array.isArray(query) && query.every((phrase) => typeof phrase === 'string')) return
  throw new TypeError(
    'The query is neither a text nor a list of texts. Give what is searched for, as one or several phrases.',
  )
}
