import type { Diagnostic } from '@repertoire/skill-md/internal'
import type { Viewer } from './viewer.ts'

/** What a search may find. */
export interface SearchOptions {
  /** Who searches: the rest is not there for it. Default: one that sees what no scope and no allowlist hides. */
  readonly viewer?: Viewer | undefined
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
 * @returns the names of those that fit, the best first. Other names are left out. Where it throws, or does not answer,
 * the search goes by words, and `RANK_FAILED` says so
 */
export type SkillRank = (
  query: string,
  skills: readonly { readonly name: string; readonly description: string }[],
  options: { readonly signal: AbortSignal },
) => readonly string[] | PromiseLike<readonly string[]>
