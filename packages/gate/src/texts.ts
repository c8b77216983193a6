import { normalForm, quote } from '@repertoire/skill-md/internal'
import { isLongerThan, MAX_PATTERN_CHARS, MAX_TEXT_CHARS } from './limits.ts'
import { matchText } from './paths/glob.ts'

/** Why a call is not permitted: a clause, and what the model can do about it. */
export interface Mismatch {
  readonly why: string
  readonly hint?: string | undefined
}

/** How one argument of a call compares with the patterns of rules. */
export interface Check extends Mismatch {
  readonly matches: (pattern: string) => boolean
}

/** A check of an argument that cannot be judged: nothing allows it, and everything may deny it. */
export function unjudged(matches: boolean, why: string, hint?: string): Check {
  return { matches: () => matches, why, hint }
}

/** The beginning that a pattern with a `*` at its end matches; undefined without one, or with others. */
export function textPrefix(pattern: string): string | undefined {
  const prefix = /^([^*]+?):?\*$/.exec(pattern)?.[1]
  return pattern.length > MAX_PATTERN_CHARS ? undefined : prefix
}

/**
 * Compares SQL, or another plain text. A pattern without a `*` is exact; with one at its end it covers what begins so,
 * on one line without `;`. In SQL a beginning without quotes is compared without case.
 */
export function allowText(name: string, value: string, isSql: boolean): Check {
  if (value.length > MAX_TEXT_CHARS)
    return unjudged(false, `its argument ${quote(name)} ${isLongerThan(MAX_TEXT_CHARS)}`)
  const isOne = !/[;\n\r\u2028\u2029]/.test(value)
  return {
    why: isOne
      ? `${quote(value)} is not covered`
      : `${quote(value)} holds ";" or a line break, which a "*" does not stand for`,
    matches(pattern) {
      const prefix = textPrefix(pattern)
      if (prefix === undefined) return pattern === value && pattern.length <= MAX_PATTERN_CHARS
      if (!isOne) return false
      const begins = value.slice(0, prefix.length)
      return isSql && !/["'`[]/.test(prefix) ? begins.toLowerCase() === prefix.toLowerCase() : begins === prefix
    },
  }
}

/** Compares SQL with a pattern that denies: the words of the pattern follow each other anywhere in it, in any case. */
export function denySql(value: string): Check {
  const words = wordsOf(value)
  return {
    why: `${quote(value)} may match it`,
    matches(pattern) {
      let at = 0
      const wanted = wordsOf(pattern)
      for (const word of words) if (word === wanted[at]) at++
      return at === wanted.length || value.length > MAX_TEXT_CHARS
    },
  }
}

function wordsOf(text: string): readonly string[] {
  return (
    normalForm(text, 'NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}_]+/gu) ?? []
  )
}

/** Compares a plain text with a pattern that denies. Case, Unicode form and blanks at the ends do not matter. */
export function denyText(value: string): Check {
  const text = value.length > MAX_TEXT_CHARS ? undefined : fold(value)
  return {
    why: text === undefined ? `its argument ${isLongerThan(MAX_TEXT_CHARS)}` : `${quote(value)} matches it`,
    matches: (pattern) =>
      text === undefined || pattern.length > MAX_PATTERN_CHARS || matchText(fold(pattern.replace(/:\*$/, '*')), text),
  }
}

function fold(text: string): string {
  return normalForm(text, 'NFKC').toLowerCase().trim()
}
