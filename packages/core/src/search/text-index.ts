import { FIELDS, type SearchTexts } from './fields.ts'
import { beginSlices, type Slices } from './slices.ts'
import { createTermTable, type TermTable } from './term-table.ts'
import { createWordReader } from './words.ts'

/** An index of texts: of each term, the documents that have it, each with what it counts there in one byte. */
export interface TextIndex {
  /** The number of documents. */
  readonly size: number
  /** About what it takes in memory. */
  readonly bytes: number
  /** Returns the documents of a term in ascending order, with their impacts; undefined where none has it. */
  readonly postings: (term: string) => Postings | undefined
}

/** The documents of one term. */
interface Postings {
  readonly documents: Uint16Array | Uint32Array
  /** What the term counts in each, by how often it is there and in which field: 1 to 255, of what it could at most. */
  readonly impacts: Uint8Array
}

/** How soon more of the same word counts no more, as BM25 has it. */
const K1 = 1.2

/** How often a word counts at most in one field of one document: in all, what has to be remembered fits into 32 bits. */
const MAX_COUNT = 255

/** More documents need more than 16 bits each. */
const MAX_SHORT = 0xff_ff

/**
 * Builds an index (BM25F) in slices, so that whatever else the process does goes on.
 * @param texts the documents, in their order: each as soon as it is asked for
 */
export async function buildTextIndex(texts: AsyncIterable<SearchTexts> | Iterable<SearchTexts>): Promise<TextIndex> {
  const slices = beginSlices()
  const read = await readTexts(texts, slices)
  await slices.next()
  const table = await createTermTable(read.numbers.keys(), read.numbers.size, slices)
  await slices.next()
  return indexOf(read.size, table, await postingsOf(read, slices))
}

// A function of its own: a closure of the one above would keep alive all that an index is made from.
function indexOf(size: number, table: TermTable, { starts, documents, impacts }: AllPostings): TextIndex {
  return {
    size,
    bytes: table.bytes + starts.byteLength + documents.byteLength + impacts.byteLength,
    postings(term) {
      const number = table.find(term)
      if (number === undefined) return undefined
      const start = starts[number]!
      const end = starts[number + 1]!
      return { documents: documents.subarray(start, end), impacts: impacts.subarray(start, end) }
    },
  }
}

interface ReadTexts {
  /** The terms, each with its number. */
  readonly numbers: ReadonlyMap<string, number>
  /** Of each document, its terms, each as its number and its counts. */
  readonly entries: GrowingList
  /** Where the entries of each document end. */
  readonly ends: GrowingList
  /** The length of each field of each document, in terms. */
  readonly lengths: readonly GrowingList[]
  readonly size: number
}

async function readTexts(
  texts: AsyncIterable<SearchTexts> | Iterable<SearchTexts>,
  slices: Slices,
): Promise<ReadTexts> {
  const reader = createWordReader()
  const numbers = new Map<string, number>()
  const entries = createGrowingList()
  const ends = createGrowingList()
  const lengths = FIELDS.map(createGrowingList)
  /** How often each term is in each field of the document that is read, a byte for each field. */
  const counts = new Map<number, number>()
  let size = 0
  for await (const document of texts) {
    for (const [place, { field }] of FIELDS.entries()) {
      let length = 0
      reader.terms(document[field], (term) => {
        length++
        let number = numbers.get(term)
        if (number === undefined) numbers.set(term, (number = numbers.size))
        const packed = counts.get(number) ?? 0
        if (countIn(packed, place) < MAX_COUNT) counts.set(number, packed + 2 ** (8 * place))
      })
      lengths[place]!.push(length)
    }
    for (const [number, packed] of counts) {
      entries.push(number)
      entries.push(packed)
    }
    ends.push(entries.length())
    counts.clear()
    size++
    if (slices.isOver()) await slices.next()
  }
  return { numbers, entries, ends, lengths, size }
}

interface AllPostings {
  /** Where the postings of each term begin, by its number, and where those of the last one end. */
  readonly starts: Uint32Array
  readonly documents: Uint16Array | Uint32Array
  readonly impacts: Uint8Array
}

/** Turns "the terms of each document" into "the documents of each term". */
async function postingsOf(read: ReadTexts, slices: Slices): Promise<AllPostings> {
  const { size, numbers } = read
  const entries = read.entries.numbers()
  const ends = read.ends.numbers()
  const lengths = read.lengths.map((list) => list.numbers())
  const averages = lengths.map((ofField) => Math.max(1, total(ofField) / Math.max(1, size)))
  const starts = new Uint32Array(numbers.size + 1)
  for (let entry = 0; entry < entries.length; entry += 2) starts[entries[entry]! + 1]!++
  for (let term = 0; term < numbers.size; term++) starts[term + 1]! += starts[term]!
  const next = starts.slice(0, numbers.size)
  const count = entries.length / 2
  const documents = size <= MAX_SHORT ? new Uint16Array(count) : new Uint32Array(count)
  const impacts = new Uint8Array(count)
  let entry = 0
  for (let document = 0; document < size; document++) {
    const shares = FIELDS.map(({ weight, lengthShare }, place) => {
      const relative = lengths[place]![document]! / averages[place]!
      return weight / (1 - lengthShare + lengthShare * relative)
    })
    for (const end = ends[document]!; entry < end; entry += 2) {
      const at = next[entries[entry]!]!++
      documents[at] = document
      impacts[at] = impactOf(entries[entry + 1]!, shares)
    }
    if (slices.isOver()) await slices.next()
  }
  return { starts, documents, impacts }
}

/** What a term counts in a document: at most K1 + 1, which is 255. */
function impactOf(packed: number, shares: readonly number[]): number {
  const frequency = shares.reduce((sum, share, place) => sum + countIn(packed, place) * share, 0)
  return Math.max(1, Math.round((255 * frequency) / (frequency + K1)))
}

function countIn(packed: number, place: number): number {
  return (packed >>> (8 * place)) & MAX_COUNT
}

function total(numbers: Uint32Array): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}

/** A list of 32-bit numbers that grows: a plain one takes twice the memory. */
interface GrowingList {
  readonly push: (number: number) => void
  readonly length: () => number
  readonly numbers: () => Uint32Array
}

function createGrowingList(): GrowingList {
  let room = new Uint32Array(1_024)
  let length = 0
  return {
    push(number) {
      if (length === room.length) {
        const grown = new Uint32Array(length * 2)
        grown.set(room)
        room = grown
      }
      room[length++] = number
    },
    length: () => length,
    numbers: () => room.subarray(0, length),
  }
}
