import type { ListEntry } from './listing.ts'

/** What is measured of skills once, however often they are ranked anew. Made by `createFitMemory`. */
export interface FitMemory {
  /** The whole descriptions that were asked for, by the index of the skill. */
  readonly wholes: Map<number, string>
  /** The entries with the shortest descriptions, and without details, by the index of the skill. */
  readonly shortest: Map<number, ListEntry>
  /** The tokens of the lines of entries. */
  readonly lines: Map<string, number>
  /** What the entry with the shortest description adds to a list, by the index of the skill. 0: it was not counted. */
  readonly costs: Float64Array
  /** The same of the name alone. */
  readonly nameCosts: Float64Array
}

/** Creates an empty memory for lists of so many skills. */
export function createFitMemory(skills: number): FitMemory {
  return {
    wholes: new Map(),
    shortest: new Map(),
    lines: new Map(),
    costs: new Float64Array(skills),
    nameCosts: new Float64Array(skills),
  }
}

/** A description of that length says what a skill is for and mostly when to use it; one much shorter says "When the user". */
export const MIN_DESCRIPTION_CHARS = 120
