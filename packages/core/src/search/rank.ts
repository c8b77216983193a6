import { FIELDS, firstField, type PackedCounts, type SearchField } from './fields.ts'
import { NO_POSTINGS, type TextIndex } from './text-index.ts'
import { createWordReader, type Word } from './words.ts'

/** What is searched for. */
export interface Query {
  /** The phrases, each with its outer spaces gone. At least one has text. */
  readonly phrases: readonly string[]
  /** A whole message that a person wrote, however long. Absent: phrases were given. */
  readonly message?: string
  readonly words: readonly Word[]
}

/** A query is read this far, in UTF-16 code units: it may be a page that a person has pasted. */
const MAX_QUERY_CHARS = 4_000

/** Reads what is searched for: a text, or several phrases that are searched for together. Undefined: it is empty. */
export function readQuery(given: string | readonly string[]): Query | undefined {
  const phrases: string[] = []
  let left = MAX_QUERY_CHARS
  for (const phrase of typeof given === 'string' ? [given] : given) {
    const text = phrase.slice(0, left).trim()
    left -= text.length
    if (text !== '') phrases.push(text)
  }
  if (phrases.length === 0) return undefined
  const words = createWordReader().words(phrases.join('\n'))
  return typeof given === 'string' ? { phrases, words, message: given } : { phrases, words }
}

/**
 * Returns what each document that is shown scores by its texts; 0: none of the words is in it. How rare a word is, and how
 * long a text is, is measured by these alone, so that what a viewer may not see does not change what it finds.
 */
export function lexicalScores(index: TextIndex, { words }: Query, isShown: Uint8Array): Float32Array {
  const scores = new Float32Array(index.size)
  const size = isShown.reduce((sum, shown) => sum + shown, 0)
  const impact = index.impactAmong(isShown)
  for (const [term, count] of countsOf(words)) {
    const postings = index.postings(term)
    if (postings === undefined) continue
    const { documents, counts } = postings
    let found = 0
    for (let at = 0; at < documents.length; at++) found += isShown[documents[at]!]!
    const weight = count * rarity(found, size)
    for (let at = 0; at < documents.length; at++) {
      const document = documents[at]!
      if (isShown[document] === 1) scores[document]! += weight * impact(document, counts[at]!)
    }
  }
  return scores
}

/** How much a term tells that few documents have (BM25's inverse document frequency, never negative). */
function rarity(documents: number, size: number): number {
  return Math.log(1 + (size - documents + 0.5) / (documents + 0.5))
}

function countsOf(words: readonly Word[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { term } of words) if (term !== undefined) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}

/** Returns how often a document has a term; undefined where it does not. */
export function countsIn(index: TextIndex, term: string, document: number): PackedCounts | undefined {
  const { documents, counts } = index.postings(term) ?? NO_POSTINGS
  let low = 0
  let high = documents.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (documents[middle]! < document) low = middle + 1
    else high = middle
  }
  return documents[low] === document ? counts[low] : undefined
}

/**
 * Similarities count by how far they lie above the least that is shown, but at least over this part of the best: the
 * vectors of many models all point about the same way, so that a text that has nothing to do with a query is at 0.7 where
 * the best is at 0.85. Where a few skills are shown that fit about as well, little lies between them.
 */
const LEAST_SPAN = 0.1

/**
 * Returns the sum of two scores, each in parts of its best: ranks alone would let the weaker of the two push out what the
 * other is sure of. Of meaning, the square root: models tell better what a query is about at all than which of several
 * skills about it fits best, which their words tell.
 */
export function sumOfScores(lexical: Float32Array, similarity: Float32Array, isShown: Uint8Array): Float32Array {
  const [byText, byMeaning] = [best(lexical, isShown), best(similarity, isShown)]
  let least = byMeaning * (1 - LEAST_SPAN)
  for (let at = 0; at < similarity.length; at++) if (isShown[at] === 1) least = Math.min(least, similarity[at]!)
  const base = Math.max(0, least)
  return lexical.map((score, document) => {
    const meaning = byMeaning > 0 ? Math.sqrt(Math.max(0, similarity[document]! - base) / (byMeaning - base)) : 0
    return (byText > 0 ? score / byText : 0) + meaning
  })
}

/** Returns the highest score of those that are shown; 0 where none scores. */
export function best(scores: Float32Array, isShown: Uint8Array): number {
  let highest = 0
  for (let at = 0; at < scores.length; at++) if (isShown[at] === 1 && scores[at]! > highest) highest = scores[at]!
  return highest
}

/** Returns the documents with the highest scores, of those that are shown and score at all; of equal ones the first. */
export function highestOf(scores: Float32Array, isShown: Uint8Array, limit: number): readonly number[] {
  const highest: number[] = []
  for (let document = 0; document < scores.length; document++) {
    const score = scores[document]!
    if (isShown[document] === 0 || score <= 0) continue
    if (highest.length === limit && score <= scores[highest[limit - 1]!]!) continue
    let low = 0
    for (let high = highest.length; low < high;) {
      const middle = (low + high) >> 1
      if (scores[highest[middle]!]! >= score) low = middle + 1
      else high = middle
    }
    highest.splice(low, 0, document)
    if (highest.length > limit) highest.pop()
  }
  return highest
}

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
