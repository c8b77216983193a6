import { quote } from '../hidden.ts'
import { countCodePoints } from './name.ts'

/** Why a trigger's pattern cannot be used: a clause that follows it, or nothing where it can. */
export type PatternChecker = (pattern: string) => string | undefined

/** In code points. Patterns come from untrusted skills and are held against every message of a user. */
const MOST_IN_PATTERN = 200
/** How often all counted repetitions of a pattern repeat together: `(a{10}){10}` repeats 100 times. */
const MOST_REPETITIONS = 100

const COUNTED = /\{(\d+)(?:,(\d*))?\}/g

/**
 * Gives the checker: RE2 syntax, which has neither back-references nor look-around, so that every pattern runs in time
 * linear in the text. The engine is imported by the first call. A pattern is bounded before it is compiled, since a
 * counted repetition is written out: `(a{100}){100}` would be 10,000 steps for every character of a text.
 */
export async function loadPatternChecker(): Promise<PatternChecker> {
  const { RE2JS, RE2JSException } = await import('re2js')
  return (pattern) => {
    const length = countCodePoints(pattern)
    if (length > MOST_IN_PATTERN) return `has ${length} characters of at most ${MOST_IN_PATTERN}`
    if (repetitions(pattern) > MOST_REPETITIONS) return `repeats more than ${MOST_REPETITIONS} times`
    try {
      RE2JS.compile(pattern)
      return undefined
    } catch (error) {
      if (!(error instanceof RE2JSException)) throw error
      const reason = error.message.replace(/^error parsing regexp: /, '')
      return `is no RE2 expression (${quote(reason).slice(1, -1)})`
    }
  }
}

function repetitions(pattern: string): number {
  let product = 1
  for (const [, least = '', most = ''] of pattern.matchAll(COUNTED)) {
    product *= Math.max(Number(least), Number(most), 1)
  }
  return product
}
