/** Why a rule takes a call away. */
export interface Denial {
  /** A clause about the call. */
  readonly why: string
  /** What the model can do about it: a sentence. */
  readonly hint?: string
}

/** Holds one pattern against the value that it was made for. Undefined: the value is certainly not what it means. */
export type Denier = (pattern: string) => Denial | undefined
