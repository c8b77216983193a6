import type { Layer, Skill } from '@repertoire/skill-md/internal'

/** What is read of a skill to rank it. */
export type RankedSkill = Pick<Skill, 'name' | 'layer'> & { readonly manifest: Pick<Skill['manifest'], 'priority'> }

/** The names of the skills that were used up to a moment. */
export type UsedNames = Pick<ReadonlySet<string>, 'has' | 'size'>

/** What decides which skills a list without room keeps. */
export interface RankSettings {
  /** The names that the host wants kept, the most important first. */
  readonly keep?: readonly string[] | undefined
  /** The names of skills that were used before. */
  readonly used?: UsedNames | undefined
  /** Highest first; a layer that is not named comes after all that are. */
  readonly layers?: readonly Layer[] | undefined
}

/**
 * Returns the indexes of skills by rank: those that the host keeps, then the higher priority, then those that were used
 * before, then the higher layer. What is equal in all of them is ordered by a hash of its name: the same at every step and
 * in every process, and no place in the alphabet.
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
