import {
  anyText,
  number,
  signal as signalKind,
  timeLimit,
  withDefault,
  withMethods,
  checkArgument,
  checkOptions,
  type OptionTable,
  LOAD_TIMEOUT_MS,
  type Skill,
} from '@repertoire/skill-md/internal'
import { inTime } from '../time-limit.ts'
import type { CatalogView } from './view.ts'
import type { SkillSearch } from '../ports/search.ts'

/** More than a context has room for. */
const MAX_ITEMS = 1_000

/** A host's request for skills as context items. */
export interface SkillItemRequest {
  /**
   * The query of the host's retrieval. The built-in provider returns what a search finds for it, best first; one that does
   * not rank ignores it and returns all items. Empty: all.
   */
  readonly query?: string
  /** The largest number of items; 0 or more. Absent: all. */
  readonly limit?: number
  readonly signal?: AbortSignal
}

/** A skill as an item in a host's context. */
export interface SkillItem {
  /** Unique among the items of all skills and sources, and stable across reloads. */
  readonly id: string
  readonly name: string
  readonly description: string
  /** Where its folder is. */
  readonly location: string
  /** More text, where a provider offers it. The built-in one does not: a body is disclosed by activation, with consent. */
  readonly content?: string
}

/** Provides skills to a host that retrieves its context itself. */
export interface SkillProvider {
  /** Returns items, in the same order for the same request. An error thrown here is passed on to the host. */
  items(request: SkillItemRequest): Promise<readonly SkillItem[]>
}

const ITEM_REQUEST: OptionTable<SkillItemRequest> = {
  query: anyText,
  limit: number('items', { from: 0, isUnlimited: true }),
  signal: signalKind,
}

const providerKind = withMethods('a provider, as from `repertoire.provider()`', 'items')

/**
 * Returns a provider's items. Without a provider there are no skills, which is not an error.
 * @param options.timeout how long the provider may take, in milliseconds, more than 0. Default 30,000; `Infinity` for no
 * limit
 * @throws the provider's error: treating a failing provider as an empty one would hide the failure
 * @throws {SkillError} TIMED_OUT: the provider did not answer in time
 * @throws the signal's reason, at once where it aborts
 */
export async function getSkillItems(
  provider: SkillProvider | undefined,
  request: SkillItemRequest = {},
  options: { readonly timeout?: number } = {},
): Promise<readonly SkillItem[]> {
  checkOptions('getSkillItems', ITEM_REQUEST, request)
  checkOptions<{ timeout?: number }>('getSkillItems', { timeout: withDefault(LOAD_TIMEOUT_MS, timeLimit) }, options)
  const { signal } = request
  const { timeout = LOAD_TIMEOUT_MS } = options
  signal?.throwIfAborted()
  if (provider === undefined) return []
  checkArgument('getSkillItems', 'provider', providerKind, provider)
  return inTime(provider.items(request), timeout, 'The provider of skills', signal)
}

/** Searches what a viewer may see. */
type SearchView = (
  query: string,
  options: { readonly limit: number; readonly signal: AbortSignal | undefined },
) => Promise<SkillSearch>

/**
 * Returns a provider of the metadata of the skills that a viewer may see: of those that a query finds, best first, or of
 * every one, sorted by name.
 */
export function createSkillProvider(view: () => CatalogView, search: SearchView): SkillProvider {
  async function found(query: string, limit: number, signal: AbortSignal | undefined): Promise<readonly Skill[]> {
    // Before the search, so that both are of one snapshot, or of a newer one.
    const current = view()
    const { hits } = await search(query, { limit: Math.max(1, Math.min(Math.floor(limit), MAX_ITEMS)), signal })
    return hits.flatMap(({ name }) => current.find(name) ?? [])
  }

  return {
    async items(request) {
      checkOptions('items', ITEM_REQUEST, request)
      const { query = '', limit = Infinity, signal } = request
      signal?.throwIfAborted()
      const all = query.trim() === '' || limit === 0 ? view().list() : await found(query, limit, signal)
      return all.slice(0, limit).map(({ name, manifest: { description }, location, source }) => ({
        id: JSON.stringify([source, location]),
        name,
        description,
        location,
      }))
    },
  }
}
