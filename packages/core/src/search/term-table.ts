import type { TimeSlice } from '../time-slice.ts'

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
