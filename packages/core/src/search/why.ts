import { firstField } from './counts.ts'
import { FIELDS, type SearchField } from './fields.ts'
import { countsIn, type Query } from './rank.ts'
import type { TextIndex } from './text-index.ts'

/** Words of a query that a field of a skill has, in the forms of the query. */
export interface SearchMatch {
  readonly field: SearchField
  readonly words: readonly string[]
}

/** Returns which words of a query a document has, and where; each under the first field that has it. */
export function matchesIn(index: TextIndex, { words }: Query, document: number): readonly SearchMatch[] {
  const sought = new Map(words.flatMap(({ word, term }) => (term === undefined ? [] : [[term, word] as const])))
  const found = FIELDS.map((): string[] => [])
  for (const [term, word] of sought) {
    const counts = countsIn(index, term, document)
    if (counts !== undefined) found[firstField(counts)]!.push(word)
  }
  return FIELDS.flatMap(({ field }, place) => (found[place]!.length === 0 ? [] : [{ field, words: found[place]! }]))
}
