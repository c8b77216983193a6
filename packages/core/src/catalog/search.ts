import {
  number,
  signal as signalKind,
  withDefault,
  checkOptions,
  type OptionTable,
  type Skill,
} from '@repertoire/skill-md/internal'
import { FOR_VIEWER } from './view.ts'
import { untilAborted } from '../time-limit.ts'
import type { SearchOptions, SearchSettings, SkillSearch } from './searcher.ts'

/** Searches the skills of one snapshot. */
export type SearchSkills = (query: string | readonly string[], options?: SearchOptions) => Promise<SkillSearch>

const MAX_HITS = 10

export const SEARCH_OPTIONS: OptionTable<SearchOptions> = {
  limit: withDefault(MAX_HITS, number('skills', { from: 1, isWhole: true })),
  ...FOR_VIEWER,
  signal: signalKind,
}

/** Returns the search in some skills. Their index is made with the first search, and kept as long as the snapshot is. */
export function createSearch(skills: readonly Skill[], settings: SearchSettings): SearchSkills {
  let search: ReturnType<(typeof import('./searcher.ts'))['createSearcher']> | undefined
  return async (query, options = {}) => {
    checkOptions('search', SEARCH_OPTIONS, options, "search('query', { limit: 5 })")
    const { limit = MAX_HITS, viewer = {}, signal } = options
    checkQuery(query)
    signal?.throwIfAborted()
    const { createSearcher } = await import('./searcher.ts')
    search ??= createSearcher(skills, settings)
    return untilAborted(search(query, { limit, viewer }), signal)
  }
}

function checkQuery(query: unknown): void {
  if (typeof query === 'string') return
  if (Array.isArray(query) && query.every((phrase) => typeof phrase === 'string')) return
  throw new TypeError(
    'The query is neither a text nor a list of texts. Give what is searched for, as one or several phrases.',
  )
}
