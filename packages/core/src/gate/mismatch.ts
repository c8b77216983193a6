/** Why a rule's pattern does not cover an argument. */
export interface Mismatch {
  /** A clause that ends the sentence "… may only be used as …; <why>." */
  readonly why: string
  /** What the model can do about it: a sentence. */
  readonly hint?: string
  /** How much it tells: of several rules' misses the highest is worded, and of equal ones the first. */
  readonly weight: 'pattern' | 'form' | 'value'
}

/** Compares one pattern with the value it was made for. Undefined: covered. */
export type Comparison = (pattern: string) => Mismatch | undefined

const WEIGHTS: readonly Mismatch['weight'][] = ['pattern', 'form', 'value']

/** The miss that tells most. */
export function tellingMismatch(misses: readonly Mismatch[]): Mismatch | undefined {
  return misses.toSorted((a, b) => WEIGHTS.indexOf(b.weight) - WEIGHTS.indexOf(a.weight))[0]
}
