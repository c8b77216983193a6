import type { Layer, Skill } from '../ports/skill.ts'

/** What is read of a skill to rank it. */
export type RankedSkill = Pick<Skill, 'name' | 'layer'> & { readonly manifest: Pick<Skill['manifest'], 'priority'> }

/** What decides which skills a list without room keeps. */
export interface RankSettings {
  /** The names that the host wants kept, the most important first. */
  readonly keep?: readonly string[] | undefined
  /** The names of skills that were used before. */
  readonly used?: ReadonlySet<string> | undefined
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
  const kept = new Map(keep.map((name, index) => [name, index] as const).toReversed())
  const layerRanks = new Map(layers.map((layer, index) => [layer, index]))
  const groups = new Map<string, Group>()
  let last: Group | undefined
  for (const [index, { name, layer, manifest }] of skills.entries()) {
    const order: Order = [
      kept.get(name) ?? keep.length,
      -manifest.priority,
      used?.has(name) === true ? 0 : 1,
      layerRanks.get(layer) ?? layers.length,
    ]
    // Most catalogs have one group, and few have more than a handful.
    if (last === undefined || compare(order, last.order) !== 0) {
      const key = order.join()
      last = groups.get(key) ?? { order, indexes: [] }
      groups.set(key, last)
    }
    last.indexes.push(index)
  }
  return [...groups.values()]
    .toSorted((a, b) => compare(a.order, b.order))
    .flatMap(({ indexes }) => shuffled(indexes, skills))
}

/** What ranks a skill, each lowest first: its place among those that are kept, its priority, its use, its layer. */
type Order = readonly [number, number, number, number]

/** Skills of one rank. */
interface Group {
  readonly order: Order
  readonly indexes: number[]
}

function compare(a: Order, b: Order): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2] || a[3] - b[3]
}

/** Returns indexes by the hashes of the skills' names. Both are one number each, which an engine sorts by itself. */
function shuffled(indexes: readonly number[], skills: readonly RankedSkill[]): readonly number[] {
  const keys = Float64Array.from(indexes, (index) => hashOf(skills[index]!.name) * MAX_SKILLS + index)
  return Array.from(keys.toSorted(), (key) => key % MAX_SKILLS)
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
