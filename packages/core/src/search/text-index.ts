import { beginTimeSlice } from '../time-limit.ts'
import { createWordReader, type Word } from './words.ts'

/** The texts of a skill, by field. */
export type SearchTexts = Readonly<Record<'name' | 'description' | 'tags' | 'body', string>>

/**
 * How much the words of each field count, and how far a word of a long text counts less than one of a short text (0 to
 * 1). Measured on two sets of queries over thousands of published skills.
 */
const FIELDS: readonly { readonly field: keyof SearchTexts; readonly weight: number; readonly lengthShare: number }[] =
  [
    { field: 'name', weight: 2, lengthShare: 0.3 },
    { field: 'description', weight: 2, lengthShare: 0.5 },
    { field: 'tags', weight: 1, lengthShare: 0.5 },
    { field: 'body', weight: 0.7, lengthShare: 0.75 },
  ]

/** How soon more of the same word counts no more, as BM25 has it. */
const K1 = 1.2

/** An index of texts. */
export type TextIndex = ReturnType<typeof indexOf>

/** Builds an index (BM25F) in slices, so that whatever else the process does goes on. */
export async function buildTextIndex(
  documents: AsyncIterable<SearchTexts> | Iterable<SearchTexts>,
): Promise<TextIndex> {
  const slice = beginTimeSlice()
  const reader = createWordReader()
  const numbers = new Map<string, number>()
  /** Of each document and field, the numbers of its terms. */
  const read: (readonly number[])[][] = []
  const frequencies: number[] = []
  for await (const texts of documents) {
    const terms = FIELDS.map(({ field }) => reader.terms(texts[field]).map((term) => numberOf(numbers, term)))
    read.push(terms)
    for (const term of new Set(terms.flat())) frequencies[term] = (frequencies[term] ?? 0) + 1
    await slice.pause()
  }
  const averages = FIELDS.map((_, place) =>
    Math.max(1, read.reduce((sum, terms) => sum + terms[place]!.length, 0) / Math.max(1, read.length)),
  )
  // What is kept are a few arrays of numbers: an object for each posting would take twenty times the memory.
  const starts = new Uint32Array(numbers.size + 1)
  for (let term = 0; term < numbers.size; term++) starts[term + 1] = starts[term]! + frequencies[term]!
  const next = starts.slice()
  const places = new (read.length <= 0xff_ff ? Uint16Array : Uint32Array)(starts[numbers.size]!)
  const impacts = new Uint8Array(places.length)
  for (const [document, terms] of read.entries()) {
    const weights = new Map<number, number>()
    for (const [field, { weight, lengthShare }] of FIELDS.entries()) {
      const length = terms[field]!.length / averages[field]!
      const once = weight / (1 - lengthShare + lengthShare * length)
      for (const term of terms[field]!) weights.set(term, (weights.get(term) ?? 0) + once)
    }
    for (const [term, weight] of weights) {
      const at = next[term]!++
      places[at] = document
      impacts[at] = Math.max(1, Math.round((255 * weight) / (weight + K1)))
    }
    await slice.pause()
  }
  return indexOf({ size: read.length, numbers, starts, places, impacts })
}

/** A separate function: a closure of the one above would keep alive all that an index is made from. */
function indexOf({
  size,
  numbers,
  starts,
  places,
  impacts,
}: {
  readonly size: number
  readonly numbers: ReadonlyMap<string, number>
  /** Where the postings of each term begin, by its number, and where those of the last one end. */
  readonly starts: Uint32Array
  /** Of each posting, the document. */
  readonly places: Uint16Array | Uint32Array
  readonly impacts: Uint8Array
}) {
  return {
    /** The number of documents. */
    size,
    /** Returns the numbers of the documents that have a term, in ascending order, and how much it counts in each. */
    postings(term: string): readonly { readonly document: number; readonly impact: number }[] {
      const number = numbers.get(term)
      if (number === undefined) return []
      const [start, end] = [starts[number]!, starts[number + 1]!]
      return Array.from({ length: end - start }, (_, offset) => ({
        document: places[start + offset]!,
        impact: impacts[start + offset]!,
      }))
    },
  }
}

function numberOf(numbers: Map<string, number>, term: string): number {
  const known = numbers.get(term)
  if (known !== undefined) return known
  // A term is mostly a slice of a text, and would keep all of it alive.
  numbers.set(JSON.parse(JSON.stringify(term)) as string, numbers.size)
  return numbers.size - 1
}

export interface Query {
  /** The phrases, each with its outer spaces gone. At least one has text. */
  readonly phrases: readonly string[]
  /** A whole message that a person wrote, however long. Absent: phrases were given. */
  readonly message?: string | undefined
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
  return { phrases, words, message: typeof given === 'string' ? given : undefined }
}

/** Returns what each document scores by the words of a query; 0: none of them is in it. */
export function scoresOf(index: TextIndex, { words }: Query): Float64Array {
  const scores = new Float64Array(index.size)
  for (const { term } of words) {
    const postings = index.postings(term)
    // BM25's inverse document frequency, never negative: a term that few documents have tells more.
    const rarity = Math.log(1 + (index.size - postings.length + 0.5) / (postings.length + 0.5))
    for (const { document, impact } of postings) scores[document]! += rarity * impact
  }
  return scores
}
