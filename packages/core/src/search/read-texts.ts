import type { TimeSlice } from '../time-limit.ts'
import { FIELDS, oneMore, type PackedCounts, type SearchTexts } from './fields.ts'
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

/** The terms of an index by number, in few bytes: a map of strings takes ten times as many. */
export interface TermTable {
  /** Returns the number of a term; undefined where no text has it. */
  readonly find: (term: string) => number | undefined
  /** Returns the term of a number. */
  readonly at: (number: number) => string
  /** About what it takes in memory. */
  readonly bytes: number
}

/** @param terms in the order of their numbers, each once */
export async function createTermTable(terms: Iterable<string>, count: number, slice: TimeSlice): Promise<TermTable> {
  const ends = new Uint32Array(count)
  // More than half of the places stay free, so that a search for one ends soon.
  const places = new Int32Array(2 ** Math.ceil(Math.log2(count * 1.5 + 2))).fill(-1)
  const mask = places.length - 1
  const parts: string[] = []
  let length = 0
  let number = 0
  for (const term of terms) {
    parts.push(term)
    length += term.length
    ends[number] = length
    let place = hash(term) & mask
    while (places[place] !== -1) place = (place + 1) & mask
    places[place] = number++
    if (number % 1_024 === 0) await slice.pause()
  }
  const text = parts.join('')

  const startOf = (candidate: number): number => (candidate === 0 ? 0 : ends[candidate - 1]!)

  function isTerm(candidate: number, term: string): boolean {
    const start = startOf(candidate)
    return ends[candidate]! - start === term.length && text.startsWith(term, start)
  }

  return {
    bytes: ends.byteLength + places.byteLength + text.length * (ASCII.test(text) ? 1 : 2),
    at: (candidate) => text.slice(startOf(candidate), ends[candidate]),
    find(term) {
      for (let place = hash(term) & mask; places[place] !== -1; place = (place + 1) & mask) {
        if (isTerm(places[place]!, term)) return places[place]
      }
      return undefined
    },
  }
}

const ASCII = /^[\0-\x7F]*$/

/** FNV-1a, over UTF-16 code units. */
function hash(term: string): number {
  let value = 0x81_1c_9d_c5
  for (let index = 0; index < term.length; index++) {
    value = Math.imul(value ^ term.charCodeAt(index), 0x01_00_01_93)
  }
  return (value ^ (value >>> 15)) >>> 0
}
