import type { Manifest } from '../ports/manifest.ts'
import { excerpt } from '../text/hidden.ts'
import type { YamlNode } from '../yaml/tree.ts'
import { filledParts, foreign, pick, readStrings, readWords } from './field-value.ts'
import type { CheckedPattern, Field, FieldContext, PatternChecker } from './field.ts'
import { countCodePoints } from './name.ts'

const NAMES = ['keywords', 'verbs', 'patterns'] as const

/**
 * When the skill is suggested. A plain list of words, which many skills have, is read as keywords. Patterns that are
 * invalid or too many are dropped and the rest is kept: the skill is then suggested less often.
 */
export const triggersField: Field = {
  property: 'triggers',
  origin: 'extension',
  summary: 'When the skill suggests itself: keywords, verbs, and patterns in RE2 syntax.',
  shape: {
    kind: 'either',
    shapes: [
      { kind: 'words' },
      {
        kind: 'mapping',
        entries: { keywords: { kind: 'words' }, verbs: { kind: 'words' }, patterns: { kind: 'texts' } },
        min: 1,
      },
    ],
  },
  empty: {},
  machineRead: true,
  rule(node, context) {
    if (node.kind !== 'map') {
      const keywords = readWords(node)
      if (keywords === undefined) return foreign(context, node, 'a mapping, or a list of words,')
      return { triggers: { keywords, verbs: [], patterns: [] } }
    }
    const parts = pick(node, NAMES)
    const keywords = readWords(parts.get('keywords'))
    const verbs = readWords(parts.get('verbs'))
    const patterns = readStrings(parts.get('patterns'))
    if (parts.size === 0 || keywords === undefined || verbs === undefined || !('strings' in patterns)) {
      return foreign(context, node, 'a mapping of "keywords", "verbs" and "patterns" to lists of words')
    }
    for (const { key, line } of node.entries) {
      if (parts.has(key)) continue
      const message = `The trigger ${excerpt(key)} is not known and has no effect.`
      context.report.warning('FIELD_UNKNOWN', { line, message, hint: `Triggers are ${NAMES.join(', ')}.` })
    }
    return { triggers: { keywords, verbs, patterns: usablePatterns(parts.get('patterns'), patterns.strings, context) } }
  },
  written: ({ triggers }) => filledParts(triggers),
}

function usablePatterns(
  node: YamlNode | undefined,
  patterns: readonly string[],
  context: FieldContext,
): Manifest['triggers']['patterns'] {
  if (patterns.length === 0) return patterns
  const { report, patterns: check } = context
  if (check === undefined) {
    context.needsPatterns = true
    return []
  }
  const lineOf = (index: number): { readonly line?: number } => {
    const line = node?.kind === 'list' ? node.items[index]?.line : node?.line
    return line === undefined ? {} : { line }
  }
  const checked = check(patterns)
  const kept = patterns.slice(0, MAX_PATTERNS).filter((pattern, index) => {
    const result = checked[index]!
    if ('engine' in result) return true
    const message = `The trigger pattern ${excerpt(pattern)} ${result.problem}.`
    const hint = `It has no effect. ${result.hint}`
    report.warning('TRIGGER_PATTERN_INVALID', { ...lineOf(index), message, hint })
    return false
  })
  if (patterns.length > MAX_PATTERNS) {
    const message = `The skill has ${patterns.length} trigger patterns; those after the first ${MAX_PATTERNS} have no effect.`
    const hint = 'Join some with "|", or write plain words under "keywords" and "verbs".'
    report.warning('TRIGGER_PATTERNS_MANY', { ...lineOf(MAX_PATTERNS), message, hint })
  }
  return kept
}

/** The most patterns of a skill: each costs time, even if linear, and skills are untrusted. */
const MAX_PATTERNS = 20
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
      return { problem: `is not an RE2 expression (${excerpt(reason).slice(1, -1)})`, hint: SYNTAX }
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
