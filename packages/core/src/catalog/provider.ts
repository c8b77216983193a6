import { LOAD_TIMEOUT_MS } from '../ports/limits.ts'
import { inTime } from '../time-limit.ts'
import type { CatalogView } from './view.ts'

/** A host's request for skills as context items. */
export interface SkillItemRequest {
  /** The query of the host's retrieval. A provider that does not rank ignores it and returns all items. */
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
  { timeout = LOAD_TIMEOUT_MS }: { readonly timeout?: number } = {},
): Promise<readonly SkillItem[]> {
  const { signal } = request
  signal?.throwIfAborted()
  if (!(timeout > 0))
    throw new TypeError(`timeout is ${timeout}. Give milliseconds, more than 0; Infinity for no limit.`)
  return provider === undefined ? [] : inTime(provider.items(request), timeout, 'The provider of skills', signal)
}

/** Returns a provider of the metadata of every skill that a viewer may see, sorted by name. */
export function createSkillProvider(view: () => CatalogView): SkillProvider {
  return {
    async items({ limit = Infinity, signal }) {
      signal?.throwIfAborted()
      if (!(limit >= 0)) throw new TypeError(`limit is ${limit}. Give a number from 0 on, or leave it out.`)
      const skills = view().list().slice(0, limit)
      return skills.map(({ name, manifest: { description }, location, source }) => ({
        id: JSON.stringify([source, location]),
        name,
        description,
        location,
      }))
    },
  }
}
