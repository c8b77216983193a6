import {
  number,
  signal as signalKind,
  withDefault,
  checkOptions,
  type OptionTable,
  type Skill,
} from '@repertoire/skill-md/internal'
import type { SearchOptions, SearchSkills, SkillRank } from '../ports/search.ts'
import { untilAborted } from '../time-limit.ts'
import { FOR_VIEWER } from './view.ts'

const MAX_HITS = 10

export const SEARCH_OPTIONS: OptionTable<SearchOptions> = {
  limit: withDefault(MAX_HITS, number('skills', { from: 1, isWhole: true })),
  ...FOR_VIEWER,
  signal: signalKind,
}

/** Returns the search in some skills. Their index is made with the first search, and kept as long as the snapshot. */
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
