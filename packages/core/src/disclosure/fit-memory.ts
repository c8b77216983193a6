/** What is measured of skills once, however often they are ranked anew. Made by `createFitMemory`. */
export interface FitMemory {
  /** The tokens of the lines of entries. */
  readonly lines: Map<string, number>
  /** What the entry with the shortest description adds to a list, by the index of the skill. 0: it was not counted. */
  readonly costs: Float64Array
  /** The same of the name alone. */
  readonly nameCosts: Float64Array
}

/** Creates an empty memory for lists of so many skills. */
export function createFitMemory(skills: number): FitMemory {
  return { lines: new Map(), costs: new Float64Array(skills), nameCosts: new Float64Array(skills) }
}
