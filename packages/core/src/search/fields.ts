/** The parts of a skill that are searched. */
export type SearchField = 'name' | 'description' | 'tags' | 'body'

/** The texts of a skill, by field. */
export type SearchTexts = Readonly<Record<SearchField, string>>

/** How much the words of a field count. */
interface FieldWeight {
  readonly field: SearchField
  readonly weight: number
  /** How far a word of a long field counts less than one of a short field, 0 to 1. */
  readonly lengthShare: number
  /** The bits of its count in `PackedCounts`: the more often a word is there, the less one more counts. */
  readonly bits: number
}

/** The fields, each with its weight. Measured on two sets of queries over thousands of published skills. */
export const FIELDS: readonly FieldWeight[] = [
  { field: 'name', weight: 2, lengthShare: 0.3, bits: 2 },
  { field: 'description', weight: 2, lengthShare: 0.5, bits: 4 },
  { field: 'tags', weight: 1, lengthShare: 0.5, bits: 3 },
  { field: 'body', weight: 0.7, lengthShare: 0.75, bits: 7 },
]

/** How often a term is in each field of one document, in 16 bits: it is kept of every term of every document. */
export type PackedCounts = number

/** Where the bits of each field begin. */
const STARTS: readonly number[] = FIELDS.map((_, place) =>
  FIELDS.slice(0, place).reduce((sum, { bits }) => sum + bits, 0),
)

/** The largest count of each field. */
const MOST: readonly number[] = FIELDS.map(({ bits }) => (1 << bits) - 1)

/** Returns how often the term is in a field, by its place in `FIELDS`: at most what its bits can say. */
export function countIn(packed: PackedCounts, place: number): number {
  return (packed >>> STARTS[place]!) & MOST[place]!
}

/** Returns the counts with the term once more in a field. */
export function oneMore(packed: PackedCounts, place: number): PackedCounts {
  return countIn(packed, place) === MOST[place] ? packed : packed + (1 << STARTS[place]!)
}

/** Returns the place in `FIELDS` of the first field that has the term. */
export function firstField(packed: PackedCounts): number {
  return FIELDS.findIndex((_, place) => countIn(packed, place) > 0)
}
