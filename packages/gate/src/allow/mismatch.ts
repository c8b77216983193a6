/** Why a rule's pattern does not cover an argument. */
export interface Mismatch {
  /** A clause that ends the sentence "… may only be used as …; <why>." */
  readonly why: string
  /** What the model can do about it: a sentence. */
  readonly hint?: string
  /** What it is about. Of several, the model is told of one: an argument's value before its form before a pattern. */
  readonly about: 'pattern' | 'form' | 'value'
}

/** Compares one pattern with the argument that it was made for. Undefined: the pattern covers it. */
export type Comparison = (pattern: string) => Mismatch | undefined

const RANK = { pattern: 0, form: 1, value: 2 } as const

/** The mismatch that tells most; of equal ones the first. */
export function tellingMismatch(mismatches: readonly (Mismatch | undefined)[]): Mismatch | undefined {
  let telling: Mismatch | undefined
  for (const mismatch of mismatches) {
    if (mismatch === undefined) continue
    if (telling === undefined || RANK[mismatch.about] > RANK[telling.about]) telling = mismatch
  }
  return telling
}

/** A comparison with an argument that no pattern covers. */
export function coveredByNothing(why: string, hint?: string): Comparison {
  const mismatch: Mismatch = { why, ...(hint !== undefined && { hint }), about: 'value' }
  return () => mismatch
}
