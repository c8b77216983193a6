import { FIELDS, type SearchField, type SearchTexts } from './fields.ts'
import { hasTerm, type Query } from './rank.ts'
import type { TextIndex } from './text-index.ts'
import { createWordReader } from './words.ts'

/** Words of a query that a field of a skill has, in the forms of the query. */
export interface SearchMatch {
  readonly field: SearchField
  readonly words: readonly string[]
}

/** Returns a function that returns which words of a query a document has, and where; each under the first field that has it. */
export function matchesIn(
  index: TextIndex,
  { words }: Query,
): (document: number, texts: Omit<SearchTexts, 'body'>) => readonly SearchMatch[] {
  const reader = createWordReader()
  const sought = words.flatMap(({ word, term }) => (term === undefined ? [] : [[term, word] as const]))
  return (document, texts) => {
    const left = new Map(sought)
    const matches: SearchMatch[] = []
    for (const { field } of FIELDS) {
      const found: string[] = []
      if (field === 'body') {
        // Bodies are not kept: what no other text has, and the index knows of, is from there.
        for (const [term, word] of left) if (hasTerm(index, term, document)) found.push(word)
      } else {
        reader.terms(texts[field], (term) => {
          const word = left.get(term)
          if (word !== undefined) found.push(word)
          left.delete(term)
        })
      }
      if (found.length > 0) matches.push({ field, words: found })
    }
    return matches
  }
}
