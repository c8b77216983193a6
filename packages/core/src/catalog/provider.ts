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
} from '@repertoire/skill-md/internal'
import { inTime } from '../time-limit.ts'
import type { CatalogView } from './view.ts'

/** A host's request for skills as context items. */
export interface SkillItemRequest {
  /**
   * The query of the host's retrieval, for a provider that ranks. The built-in one returns all items: `catalog.search`
   * ranks.
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
  /** More text, where a provider offers it. The built-in one does not: activation discloses a body, with consent. */
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
 * @param options.timeout how long the provider may take, in milliseconds, more than 0. Default 30,000; `Infinity` for
 * no limit
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

/** Returns a provider of the metadata of the skills that a viewer may see, sorted by name. */
export function createSkillProvider(view: () => CatalogView): SkillProvider {
  return {
    async items(request) {
      checkOptions('items', ITEM_REQUEST, request)
      const { limit = Infinity, signal } = request
      signal?.throwIfAborted()
      const shown = view().list().slice(0, limit)
      return shown.map(({ name, manifest: { description }, location, source }) => ({
        id: JSON.stringify([source, location]),
        name,
        description,
        location,
      }))
    },
  }
}
