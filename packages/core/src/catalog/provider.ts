import type { CatalogView } from './view.ts'

/** What a host asks for, in words of its own retrieval. */
export interface SkillItemRequest {
  /** What the context is gathered for. A provider that does not rank gives everything, whatever is asked. */
  readonly query?: string
  /** At most so many items; 0 or more. Absent: all. */
  readonly limit?: number
  readonly signal?: AbortSignal
}

/** A skill as an item of a host's context. */
export interface SkillItem {
  /** Tells it from items of other skills and sources: it stays the same over reloads. */
  readonly id: string
  readonly name: string
  readonly description: string
  /** Where its folder is. */
  readonly location: string
  /** More of it, where a provider gives more. Ours does not: a body is disclosed by activation, with consent. */
  readonly content?: string
}

/** Gives skills to a host that retrieves its context itself. */
export interface SkillProvider {
  /** Items in an order that is the same for the same request. What it throws is the provider's own failure. */
  items(request: SkillItemRequest): Promise<readonly SkillItem[]>
}

/**
 * Asks a provider. A host without one has no skills, and that is no error.
 * @throws the provider's own error: to take a failing one for an empty one would hide it
 * @throws the signal's reason, where it is aborted
 */
export async function getSkillItems(
  provider: SkillProvider | undefined,
  request: SkillItemRequest = {},
): Promise<readonly SkillItem[]> {
  request.signal?.throwIfAborted()
  return provider === undefined ? [] : provider.items(request)
}

/** The metadata of what a viewer may see, by name. */
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
