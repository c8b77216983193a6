import type { TimeSlice } from '../time-slice.ts'
import { FIELDS, oneMore, type PackedCounts, type SearchTexts } from './fields.ts'
import type { TermTable } from './term-table.ts'
import { createWordReader } from './words.ts'

/** What an index consists of. */
export interface IndexParts {
  readonly table: TermTable
  /** Where the postings of each term begin, by its number, and where those of the last one end. */
  readonly starts: Uint32Array
  readonly documents: Uint16Array | Uint32Array
  readonly counts: Uint16Array
  /** The length of each field of each document, in terms; those of one document follow one another. */
  readonly lengths: Uint32Array
}

/** What was read of some documents. */
export interface ReadTexts {
  /** The terms, each with its number. */
  readonly numbers: ReadonlyMap<string, number>
  /** Of each document, its terms, each as its number and its counts. */
  readonly entries: readonly number[]
  /** Where the entries of each document end. */
  readonly ends: readonly number[]
  /** The length of each field of each document, in terms; those of one document follow one another. */
  readonly lengths: readonly number[]
}

/** Reads documents: from their texts, or from an index that has the same texts already, which takes a hundredth of it. */
export async function readTexts(
  documents: AsyncIterable<SearchTexts | number> | Iterable<SearchTexts | number>,
  slice: TimeSlice,
  former: IndexParts | undefined,
): Promise<ReadTexts> {
  const reader = createWordReader()
  const numbers = new Map<string, number>()
  const entries: number[] = []
  const ends: number[] = []
  const lengths: number[] = []
  /** How often each term is in each field of the document that is read. */
  const counts = new Map<number, PackedCounts>()
  const copy = former && copierOf(former)

  const numberOf = (term: string): number => {
    let number = numbers.get(term)
    if (number === undefined) numbers.set(term, (number = numbers.size))
    return number
  }
  function read(document: SearchTexts): void {
    for (const [place, { field }] of FIELDS.entries()) {
      let length = 0
      reader.terms(document[field], (term) => {
        length++
        const number = numberOf(term)
        counts.set(number, oneMore(counts.get(number) ?? 0, place))
      })
      lengths.push(length)
    }
    for (const [number, packed] of counts) entries.push(number, packed)
    counts.clear()
  }

  for await (const document of documents) {
    if (typeof document === 'object') read(document)
    else copy?.(document, { numberOf, entries, lengths })
    ends.push(entries.length)
    await slice.pause()
  }
  return { numbers, entries, ends, lengths }
}

interface Target {
  readonly numberOf: (term: string) => number
  readonly entries: number[]
  readonly lengths: number[]
}

/** Returns a function that copies what an index knows of a document. */
function copierOf(former: IndexParts): (document: number, target: Target) => void {
  const { table, starts, documents, counts, lengths } = former
  const size = lengths.length / FIELDS.length
  // Turned back: of each document, its terms, each with where its posting is.
  const ends = new Uint32Array(size + 1)
  for (let at = 0; at < documents.length; at++) ends[documents[at]! + 1]!++
  for (let document = 0; document < size; document++) ends[document + 1]! += ends[document]!
  const next = ends.slice(0, size)
  const terms = new Uint32Array(documents.length)
  const places = new Uint32Array(documents.length)
  for (let term = 0; term + 1 < starts.length; term++) {
    for (let place = starts[term]!; place < starts[term + 1]!; place++) {
      const at = next[documents[place]!]!++
      terms[at] = term
      places[at] = place
    }
  }
  const numbers = new Int32Array(starts.length).fill(-1)

  return (document, target) => {
    for (let place = 0; place < FIELDS.length; place++) target.lengths.push(lengths[document * FIELDS.length + place]!)
    for (let at = ends[document]!; at < ends[document + 1]!; at++) {
      const term = terms[at]!
      if (numbers[term] === -1) numbers[term] = target.numberOf(table.at(term))
      target.entries.push(numbers[term]!, counts[places[at]!]!)
    }
  }
}
