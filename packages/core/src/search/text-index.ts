import { beginTimeSlice, type TimeSlice } from '../time-limit.ts'
import { countIn, FIELDS, type PackedCounts, type SearchTexts } from './fields.ts'
import { createTermTable, type IndexParts, readTexts, type ReadTexts } from './read-texts.ts'

/** The documents of one term. */
interface Postings {
  readonly documents: Uint16Array | Uint32Array
  /** How often the term is in each. */
  readonly counts: Uint16Array
}

/** Of a term that no document has. */
export const NO_POSTINGS: Postings = { documents: new Uint16Array(), counts: new Uint16Array() }

/** An index of texts: of each term, the documents that have it, each with how often and where. */
export interface TextIndex {
  /** The number of documents. */
  readonly size: number
  /** About what it takes in memory. */
  readonly bytes: number
  /** Returns the documents of a term in ascending order, with their counts; undefined where none has it. */
  readonly postings: (term: string) => Postings | undefined
  /**
   * Returns a function that returns what a term counts in a document that has it so often: more than 0, at most 1. A word
   * counts less in a text that is longer than those of most documents that are shown.
   */
  readonly impactAmong: (isShown: Uint8Array) => (document: number, counts: PackedCounts) => number
  /** All that an index of mostly the same texts is made from. */
  readonly parts: IndexParts
}

/** How soon more of the same word counts no more, as BM25 has it. */
const K1 = 1.2

/** More documents need more than 16 bits each. */
const MAX_SHORT = 0xff_ff

/**
 * Builds an index (BM25F) in slices, so that whatever else the process does goes on.
 * @param documents in their order: each as its texts, or as the number of a document of `former` that has the same
 */
export async function buildTextIndex(
  documents: AsyncIterable<SearchTexts | number> | Iterable<SearchTexts | number>,
  former?: TextIndex,
): Promise<TextIndex> {
  const slice = beginTimeSlice()
  const read = await readTexts(documents, slice, former?.parts)
  const table = await createTermTable(read.numbers.keys(), read.numbers.size, slice)
  const lengths = Uint32Array.from(read.lengths)
  return indexOf(read.ends.length, { table, lengths, ...(await postingsOf(read, slice)) })
}

// A function of its own: a closure of the one above would keep alive all that an index is made from.
function indexOf(size: number, parts: IndexParts): TextIndex {
  const { table, starts, documents, counts, lengths } = parts
  return {
    size,
    bytes: [starts, documents, counts, lengths].reduce((sum, { byteLength }) => sum + byteLength, table.bytes),
    parts,
    postings(term) {
      const number = table.find(term)
      if (number === undefined) return undefined
      const start = starts[number]!
      const end = starts[number + 1]!
      return { documents: documents.subarray(start, end), counts: counts.subarray(start, end) }
    },
    impactAmong(isShown) {
      const averages = averageLengths(lengths, isShown)
      return (document, packed) => {
        let frequency = 0
        for (let place = 0; place < FIELDS.length; place++) {
          const count = countIn(packed, place)
          if (count === 0) continue
          const { weight, lengthShare } = FIELDS[place]!
          const length = lengths[document * FIELDS.length + place]! / averages[place]!
          frequency += (count * weight) / (1 - lengthShare + lengthShare * length)
        }
        return frequency / (frequency + K1)
      }
    },
  }
}

/** Returns the average length of each field of the documents that are shown, at least 1. */
function averageLengths(lengths: Uint32Array, isShown: Uint8Array): readonly number[] {
  const totals = FIELDS.map(() => 0)
  let size = 0
  for (let document = 0; document < isShown.length; document++) {
    if (isShown[document] === 0) continue
    size++
    for (let place = 0; place < totals.length; place++) totals[place]! += lengths[document * totals.length + place]!
  }
  return totals.map((total) => Math.max(1, total / Math.max(1, size)))
}

/** Turns "the terms of each document" into "the documents of each term". */
async function postingsOf(
  { numbers, entries, ends }: ReadTexts,
  slice: TimeSlice,
): Promise<Pick<IndexParts, 'starts' | 'documents' | 'counts'>> {
  const starts = new Uint32Array(numbers.size + 1)
  for (let entry = 0; entry < entries.length; entry += 2) starts[entries[entry]! + 1]!++
  for (let term = 0; term < numbers.size; term++) starts[term + 1]! += starts[term]!
  const next = starts.slice(0, numbers.size)
  const count = entries.length / 2
  const documents = ends.length <= MAX_SHORT ? new Uint16Array(count) : new Uint32Array(count)
  const counts = new Uint16Array(count)
  let entry = 0
  for (const [document, end] of ends.entries()) {
    for (; entry < end; entry += 2) {
      const at = next[entries[entry]!]!++
      documents[at] = document
      counts[at] = entries[entry + 1]!
    }
    await slice.pause()
  }
  return { starts, documents, counts }
}
