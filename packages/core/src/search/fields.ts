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
}

/** The fields, each with its weight. Measured on two sets of queries over thousands of published skills. */
export const FIELDS: readonly FieldWeight[] = [
  { field: 'name', weight: 2, lengthShare: 0.3 },
  { field: 'description', weight: 2, lengthShare: 0.5 },
  { field: 'tags', weight: 1, lengthShare: 0.5 },
  { field: 'body', weight: 0.7, lengthShare: 0.75 },
]
