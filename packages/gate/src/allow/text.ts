import { quote } from '@repertoire/skill-md/internal'
import { asGlob, matchText } from '../glob.ts'
import { MAX_PATTERN_CHARS, MAX_TEXT_CHARS, isLongerThan } from '../limits.ts'

/** What a `*` may stand for, apart from what the pattern itself holds: words of one line and their punctuation. */
const PLAIN = /[\p{L}\p{M}\p{N}\p{Zs}.,:!?'"@#%/+*=()_~-]/gu

/**
 * Compares a plain string: a pattern is the text itself, `prefix:*` for what begins with the prefix, or a text in which
 * each `*` stands for any text of one line. A line break, `;` and other characters that could begin something else in a
 * language that the tool reads are covered only where the pattern holds them too.
 * @param name of the argument
 */
export function compareText(name: string, value: string): Comparison {
  if (value.length > MAX_TEXT_CHARS) {
    return coveredByNothing(`its argument ${quote(name)} ${isLongerThan(MAX_TEXT_CHARS)}`)
  }
  return (pattern) => {
    if (!coversText(pattern, value)) return { why: `${quote(value)} is not of that form`, about: 'form' }
    const other = otherCharacters(value).find((character) => !pattern.includes(character))
    if (other === undefined) return undefined
    return { why: `${quote(value)} holds ${quote(other)}, which a "*" does not stand for`, about: 'value' }
  }
}

/** Characters that a `*` does not stand for. */
export function otherCharacters(text: string): readonly string[] {
  return Array.from(text.replaceAll(PLAIN, ''))
}

function coversText(pattern: string, value: string): boolean {
  if (pattern === '' || pattern === ':*' || pattern.length > MAX_PATTERN_CHARS) return false
  return matchText(asGlob(pattern), value)
}

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
  const mismatch: Mismatch = { why, hint, about: 'value' }
  return () => mismatch
}
