import { FIELDS } from './fields.ts'

/**
 * How often a term is in each field of one document, in 16 bits: it is kept of every term of every document. A field has as
 * many bits as make a difference: the more often a word is there, the less one more counts.
 */
export type PackedCounts = number

/** The bits of each field, in the order of `FIELDS`: a name, a description, tags, a body. */
const BITS: readonly number[] = [2, 4, 3, 7]

/** Where the bits of each field begin. */
const STARTS: readonly number[] = BITS.map((_, place) => BITS.slice(0, place).reduce((sum, bits) => sum + bits, 0))

/** Returns how often the term is in a field, by its place in `FIELDS`: at most what its bits can say. */
function countIn(packed: PackedCounts, place: number): number {
  return (packed >>> STARTS[place]!) & ((1 << BITS[place]!) - 1)
}

/** Returns the counts with the term once more in a field. */
export function oneMore(packed: PackedCounts, place: number): PackedCounts {
  return countIn(packed, place) === (1 << BITS[place]!) - 1 ? packed : packed + (1 << STARTS[place]!)
}

/** Returns the place in `FIELDS` of the first field that has the term. */
export function firstField(packed: PackedCounts): number {
  return FIELDS.findIndex((_, place) => countIn(packed, place) > 0)
}

/** Returns the sum of the counts, each times the share of its field; `shares` has them from `start` on. */
export function weighted(packed: PackedCounts, shares: Float32Array, start: number): number {
  let sum = 0
  for (let place = 0; place < BITS.length; place++) sum += countIn(packed, place) * shares[start + place]!
  return sum
}
