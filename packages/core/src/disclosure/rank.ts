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
 * @param keys of the same skills, where they are known: what was used before changes none of them
 */
export function rankSkills(
  skills: readonly RankedSkill[],
  { keep = [], used, layers = [] }: RankSettings,
  keys: RankKeys = rankKeys(skills),
): Uint32Array {
  const kept = new Map(keep.map((name, index) => [name, index] as const).toReversed())
  const layerRanks = new Map(layers.map((layer, index) => [layer, index]))
  const groups = new Map<string, Group>()
  const groupOf: Group[] = []
  // Most catalogs have one group, and few have more than a handful: what a skill has in common with the one before it is
  // not asked for again.
  let last: Group | undefined
  let lastLayer: Layer | undefined
  let layerRank = 0
  for (let index = 0; index < skills.length; index++) {
    const skill = skills[index]!
    const { layer } = skill
    if (index === 0 || layer !== lastLayer) {
      lastLayer = layer
      layerRank = layerRanks.get(layer) ?? layers.length
    }
    const place = kept.size === 0 ? 0 : (kept.get(skill.name) ?? keep.length)
    const use = used !== undefined && used.size > 0 && used.has(skill.name) ? 0 : 1
    const { priority } = skill.manifest
    if (
      last === undefined ||
      place !== last.place ||
      priority !== last.priority ||
      use !== last.use ||
      layerRank !== last.layerRank
    ) {
      const key = `${place},${priority},${use},${layerRank}`
      last = groups.get(key) ?? { place, priority, use, layerRank, size: 0, next: 0 }
      groups.set(key, last)
    }
    last.size++
    groupOf.push(last)
  }
  let before = 0
  for (const group of [...groups.values()].toSorted(compare)) {
    group.next = before
    before += group.size
  }
  const ranked = new Uint32Array(skills.length)
  // Not `of`: an iterator takes several times as long where nothing is compiled yet.
  for (let at = 0; at < keys.length; at++) {
    const index = keys[at]! % MAX_SKILLS
    ranked[groupOf[index]!.next++] = index
  }
  return ranked
}

/** See `rankKeys`. */
export type RankKeys = Float64Array

/** Skills of one rank, and what ranks them. */
interface Group {
  /** Among those that are kept. */
  readonly place: number
  readonly priority: number
  /** 0: used before. */
  readonly use: 0 | 1
  readonly layerRank: number
  size: number
  /** The rank of the first that has none yet. */
  next: number
}

function compare(a: Group, b: Group): number {
  return a.place - b.place || b.priority - a.priority || a.use - b.use || a.layerRank - b.layerRank
}

/**
 * Returns the key of each skill, sorted: the hash of its name and its index as one number, which an engine sorts by itself.
 * Whatever else ranks the skills, those that are equal in it come in this order.
 */
export function rankKeys(skills: readonly RankedSkill[]): RankKeys {
  const keys = new Float64Array(skills.length)
  for (let index = 0; index < skills.length; index++) keys[index] = hashOf(skills[index]!.name) * MAX_SKILLS + index
  return keys.toSorted()
}

/** A hash has 32 bits, and a safe integer 53. */
const MAX_SKILLS = 2 ** 21

/** FNV-1a with the last step of MurmurHash3: names that differ in their last letter only are far apart. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
