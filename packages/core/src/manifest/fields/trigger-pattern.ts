import type { RE2JS } from 're2js'
import { quote } from '../hidden.ts'
import { countCodePoints } from './name.ts'

/** A trigger's pattern, ready to be tried; or why it counts for nothing: a clause that follows it, and what to do. */
type CheckedPattern = { readonly engine: RE2JS } | { readonly problem: string; readonly hint: string }

/** Judges the patterns of one skill: an answer to each of the first `MAX_PATTERNS`, in their order. */
export type PatternChecker = (patterns: readonly string[]) => readonly CheckedPattern[]

/** Patterns of a skill at the most: each takes its time, linear as that is, and skills are untrusted. */
export const MAX_PATTERNS = 20
/** In code points. Patterns come from untrusted skills and are held against every message of a user. */
const MAX_IN_PATTERN = 200
/** How often all counted repetitions of a pattern repeat together: `(a{10}){10}` repeats 100 times. */
const MAX_REPETITIONS = 100
/**
 * Steps of the compiled patterns, of one and of all of a skill: what a character of a message costs grows with them, and
 * a pattern of thirty characters can have thousands. One that is usual has a hundred.
 */
const MAX_STEPS = { ofOne: 500, ofAll: 2_000 }

const COUNTED = /\{(\d+)(?:,(\d*))?\}/g

const SYNTAX = 'Write it in RE2 syntax: no back-references, no look-around.'
const SMALLER = 'Write it shorter, with fewer counted repetitions and alternatives.'

/**
 * Gives the checker: RE2 syntax, which has neither back-references nor look-around, so that every pattern runs in time
 * linear in the text. The engine is imported by the first call. A pattern is bounded before it is compiled, since a
 * counted repetition is written out: `(a{100}){100}` would be 10,000 steps for every character of a text. What cannot be
 * told before is bounded by its size afterwards.
 */
export async function loadPatternChecker(): Promise<PatternChecker> {
  const { RE2JS, RE2JSException } = await import('re2js')

  function compile(pattern: string): CheckedPattern {
    const length = countCodePoints(pattern)
    if (length > MAX_IN_PATTERN) return large(`has ${length} characters of at most ${MAX_IN_PATTERN}`)
    if (repetitions(pattern) > MAX_REPETITIONS) return large(`repeats more than ${MAX_REPETITIONS} times`)
    try {
      return { engine: RE2JS.compile(pattern) }
    } catch (error) {
      if (!(error instanceof RE2JSException)) throw error
      const reason = error.message.replace(/^error parsing regexp: /, '')
      return { problem: `is not an RE2 expression (${quote(reason).slice(1, -1)})`, hint: SYNTAX }
    }
  }

  return (patterns) => {
    let left = MAX_STEPS.ofAll
    return patterns.slice(0, MAX_PATTERNS).map((pattern) => {
      const checked = compile(pattern)
      if (!('engine' in checked)) return checked
      const steps = checked.engine.programSize()
      if (steps > MAX_STEPS.ofOne) return large(`is compiled to ${steps} steps of at most ${MAX_STEPS.ofOne}`)
      if (steps > left) {
        const all = MAX_STEPS.ofAll
        return large(`is compiled to ${steps} steps, and those before it leave ${left} of the skill's ${all}`)
      }
      left -= steps
      return checked
    })
  }
}

function large(problem: string): CheckedPattern {
  return { problem, hint: SMALLER }
}

function repetitions(pattern: string): number {
  let product = 1
  for (const [, least = '', most = ''] of pattern.matchAll(COUNTED)) {
    product *= Math.max(Number(least), Number(most), 1)
  }
  return product
}
