import type { LabelledQuery } from './corpus.ts'

/** Returns the ids of what is found for some phrases, best first. */
export type Search = (phrases: readonly string[]) => readonly string[] | Promise<readonly string[]>

/** How often the right skill is found. */
export interface Recall {
  /** The part of the queries, 0 to 1, whose right skill is the first, or among the first three or five. */
  readonly at: Readonly<Record<1 | 3 | 5, number>>
  /** The mean of 1 / the place of the right skill; 0 where it is not found. */
  readonly reciprocalRank: number
}

/** Measures a search by queries whose right skills are known. */
export async function measureRecall(search: Search, queries: readonly LabelledQuery[]): Promise<Recall> {
  const places: number[] = []
  for (const { phrases, right } of queries) {
    places.push((await search(phrases)).findIndex((id) => right.has(id)) + 1 || Infinity)
  }
  const within = (place: number): number => places.filter((at) => at <= place).length / places.length
  return {
    at: { 1: within(1), 3: within(3), 5: within(5) },
    reciprocalRank: places.reduce((sum, place) => sum + 1 / place, 0) / places.length,
  }
}
