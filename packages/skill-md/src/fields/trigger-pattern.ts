import type { RE2JS } from 're2js'
import { quote } from '../hidden.ts'
import { countCodePoints } from './name.ts'

/** A compiled pattern; or why it has no effect: a clause to follow the pattern in a message, and a hint. */
type CheckedPattern = { readonly engine: RE2JS } | { readonly problem: string; readonly hint: string }

/** Checks the patterns of one skill: returns a result for each of the first `MAX_PATTERNS`, in order. */
export type PatternChecker = (patterns: readonly string[]) => readonly CheckedPattern[]

/** The most patterns of a skill: each costs time, even if linear, and skills are untrusted. */
export const MAX_PATTERNS = 20
/** In code points. Patterns come from untrusted skills and are matched against every message of a user. */
const MAX_PATTERN_CHARS = 200
/** The product of all counted repetitions in a pattern: `(a{10}){10}` repeats 100 times. */
const MAX_REPETITIONS = 100
/**
 * The most steps of one compiled pattern and of all of a skill's. The cost per character of a message grows with the
 * steps, and a pattern of thirty characters can have thousands. A usual pattern has about a hundred.
 */
const MAX_STEPS = { ofOne: 500, ofAll: 2_000 }

const COUNTED = /\{(\d+)(?:,(\d*))?\}/g

const SYNTAX = 'Write it in RE2 syntax: no back-references, no look-around.'
const SMALLER = 'Write it shorter, with fewer counted repetitions and alternatives.'

/**
 * Returns a checker for RE2 syntax, which has neither back-references nor look-around, so that every pattern runs in time
 * linear in the text. The first call imports the engine. Patterns are limited before compilation, since the compiler
 * expands counted repetitions: `(a{100}){100}` would be 10,000 steps per character of a text. The compiled size is
 * limited too, for what cannot be known before.
 */
export async function loadPatternChecker(): Promise<PatternChecker> {
  const { RE2JS, RE2JSException } = await import('re2js')

  function compile(pattern: string): CheckedPattern {
    const length = countCodePoints(pattern)
    if (length > MAX_PATTERN_CHARS) return large(`has ${length} characters of at most ${MAX_PATTERN_CHARS}`)
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
  for (const [, min = '', max = ''] of pattern.matchAll(COUNTED)) {
    product *= Math.max(Number(min), Number(max), 1)
  }
  return product
}
