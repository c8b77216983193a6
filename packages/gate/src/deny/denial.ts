/** Why a rule denies a call. */
export interface Denial {
  /** A clause about the call. */
  readonly why: string
  /** What the model can do about it: a sentence. */
  readonly hint?: string
}

/** Compares one pattern with the argument that it was made for. Undefined: the pattern certainly does not mean it. */
export type DenialCheck = (pattern: string) => Denial | undefined

/** A check of an argument that every pattern may mean. */
export function deniedByAll(why: string, hint?: string): DenialCheck {
  const denial: Denial = { why, ...(hint !== undefined && { hint }) }
  return () => denial
}
