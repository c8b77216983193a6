import { type PackedCounts, weighted } from './counts.ts'
import { FIELDS, type SearchTexts } from './fields.ts'
import type { IndexParts, Postings } from './index-parts.ts'
import { readTexts, type ReadTexts } from './read-texts.ts'
import { beginSlices, type Slices } from './slices.ts'
import { createTermTable } from './term-table.ts'

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
  const slices = beginSlices()
  const read = await readTexts(documents, slices, former?.parts)
  await slices.next()
  const table = await createTermTable(read.numbers.keys(), read.numbers.size, slices)
  await slices.next()
  const lengths = read.lengths.numbers().slice()
  return indexOf(read.size, { table, lengths, ...(await postingsOf(read, slices)) })
}

// A function of its own: a closure of the one above would keep alive all that an index is made from.
function indexOf(size: number, parts: IndexParts): TextIndex {
  const { table, starts, documents, counts, lengths } = parts
  // There are as many as views that search. Of documents that are not shown no number counts.
  const known = new WeakMap<Uint8Array, Float32Array>()
  return {
    size,
    // For the shares of one view as many as for the lengths.
    bytes: [starts, documents, counts, lengths, lengths].reduce((sum, { byteLength }) => sum + byteLength, table.bytes),
    parts,
    postings(term) {
      const number = table.find(term)
      if (number === undefined) return undefined
      const start = starts[number]!
      const end = starts[number + 1]!
      return { documents: documents.subarray(start, end), counts: counts.subarray(start, end) }
    },
    impactAmong(isShown) {
      const shares = known.get(isShown) ?? sharesOf(lengths, isShown)
      known.set(isShown, shares)
      return (document, packed) => {
        const frequency = weighted(packed, shares, document * FIELDS.length)
        return frequency / (frequency + K1)
      }
    },
  }
}

/** Returns what one word counts in each field of each document: less in one that is longer than most that are shown. */
function sharesOf(lengths: Uint32Array, isShown: Uint8Array): Float32Array {
  const totals = FIELDS.map(() => 0)
  let size = 0
  for (let document = 0; document < isShown.length; document++) {
    if (isShown[document] === 0) continue
    size++
    for (let place = 0; place < totals.length; place++) totals[place]! += lengths[document * totals.length + place]!
  }
  const averages = totals.map((total) => Math.max(1, total / Math.max(1, size)))
  return Float32Array.from(lengths, (length, at) => {
    const { weight, lengthShare } = FIELDS[at % FIELDS.length]!
    return weight / (1 - lengthShare + (lengthShare * length) / averages[at % FIELDS.length]!)
  })
}

/** Turns "the terms of each document" into "the documents of each term". */
async function postingsOf(
  { size, numbers, ...read }: ReadTexts,
  slices: Slices,
): Promise<Pick<IndexParts, 'starts' | 'documents' | 'counts'>> {
  const entries = read.entries.numbers()
  const ends = read.ends.numbers()
  const starts = new Uint32Array(numbers.size + 1)
  for (let entry = 0; entry < entries.length; entry += 2) starts[entries[entry]! + 1]!++
  for (let term = 0; term < numbers.size; term++) starts[term + 1]! += starts[term]!
  const next = starts.slice(0, numbers.size)
  const count = entries.length / 2
  const documents = size <= MAX_SHORT ? new Uint16Array(count) : new Uint32Array(count)
  const counts = new Uint16Array(count)
  let entry = 0
  for (let document = 0; document < size; document++) {
    for (const end = ends[document]!; entry < end; entry += 2) {
      const at = next[entries[entry]!]!++
      documents[at] = document
      counts[at] = entries[entry + 1]!
    }
    if (slices.isOver()) await slices.next()
  }
  return { starts, documents, counts }
}
