import { number, signal as signalKind, withDefault } from '../options/kinds.ts'
import { checkOptions, type OptionTable } from '../options/table.ts'
import { viewerKind } from './view.ts'
import type { Diagnostic } from '../ports/diagnostic.ts'
import type { SkillEmbedder } from '../ports/embedder.ts'
import type { Skill } from '../ports/skill.ts'
import type { SearchMatch } from '../search/why.ts'
import { untilAborted } from '../time-limit.ts'
import type { IndexMemory } from './index-memory.ts'
import type { Viewer } from './view.ts'
import { createSearcher } from './searcher.ts'

/** What a search may find. */
export interface SearchOptions {
  /** The most skills that are found, 1 or more. Default 10. */
  readonly limit?: number
  /** Who searches: the rest is not there for it. Default: one that sees what no scope and no allowlist hides. */
  readonly view?: Viewer
  /** The search is no longer waited for when it aborts. */
  readonly signal?: AbortSignal | undefined
}

/** A skill that was found. */
export interface SkillHit {
  readonly name: string
  /** More than 0, at most 1: how it compares with the others of the same search, and nothing else. */
  readonly score: number
  /** Which words of the query it has, and where. Empty: it was found by its meaning, or by a part of its name. */
  readonly why: readonly SearchMatch[]
  /** How near it is in meaning, -1 to 1. Absent: there is no embedder, or it failed. */
  readonly similarity?: number
}

/** What a search has found. */
export interface SkillSearch {
  /** Best first, skills that score the same by name. Empty: none fits. */
  readonly hits: readonly SkillHit[]
  /** What was not searched: bodies that cannot be read, an embedder that failed. */
  readonly diagnostics: readonly Diagnostic[]
}

/** Searches the skills of one snapshot. */
export type SearchSkills = (query: string | readonly string[], options?: SearchOptions) => Promise<SkillSearch>

/** What a search is made with. */
export interface SearchSettings {
  readonly embedder: SkillEmbedder | undefined
  /** Shared by the snapshots of a repertoire. */
  readonly memory: IndexMemory
}

const MAX_HITS = 10

export const SEARCH_OPTIONS: OptionTable<SearchOptions> = {
  limit: withDefault(MAX_HITS, number('skills', { from: 1, isWhole: true })),
  view: viewerKind,
  signal: signalKind,
}

/** Returns the search in some skills. Their index is made with the first search, and kept as long as the snapshot is. */
export function createSearch(skills: readonly Skill[], settings: SearchSettings): SearchSkills {
  let search: ReturnType<(typeof import('./searcher.ts'))['createSearcher']> | undefined
  return async (query, options = {}) => {
    checkOptions('search', SEARCH_OPTIONS, options, "search('query', { limit: 5 })")
    const { limit = MAX_HITS, view = {}, signal } = options
    checkQuery(query)
    signal?.throwIfAborted()
    search ??= createSearcher(skills, settings)
    return untilAborted(search(query, { limit, view }), signal)
  }
}

function checkQuery(query: unknown): void {
  if (typeof query === 'string') return
  if (Array.isArray(query) && query.every((phrase) => typeof phrase === 'string')) return
  throw new TypeError(
    'The query is neither a text nor a list of texts. Give what is searched for, as one or several phrases.',
  )
}
