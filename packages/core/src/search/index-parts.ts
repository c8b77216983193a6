import type { TermTable } from './term-table.ts'

/** The documents of one term. */
export interface Postings {
  readonly documents: Uint16Array | Uint32Array
  /** How often the term is in each. */
  readonly counts: Uint16Array
}

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
