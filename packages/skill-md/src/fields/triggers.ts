import { quote, shown } from '../text/escape.ts'
import { filledParts, foreign, mapping, readStrings, readWords, texts, valueAt, words } from './field-value.ts'
import type { CheckedPattern, Field, FieldContext, PatternChecker } from './field.ts'
import type { YamlMap } from '../yaml/tree.ts'

const NAMES = ['keywords', 'verbs', 'patterns']

/**
 * When the skill is suggested. A plain list of words, which many skills have, is read as keywords. Patterns that are
 * invalid or too many are dropped and the rest is kept: the skill is then suggested less often.
 */
export const triggersField: Field = {
  summary: 'When the skill suggests itself: keywords, verbs, and patterns in RE2 syntax.',
  schema: (zod) =>
    zod.union([words(zod), mapping(zod, { keywords: words(zod), verbs: words(zod), patterns: texts(zod) })]),
  rule(node, context) {
    if (node.kind !== 'map') {
      const keywords = readWords(node)
      if (keywords === undefined) return foreign(context, node, 'a mapping, or a list of words,')
      return { keywords, verbs: [], patterns: [] }
    }
    const unknown = node.entries.filter(({ key }) => !NAMES.includes(key))
    const keywords = readWords(valueAt(node, 'keywords'))
    const verbs = readWords(valueAt(node, 'verbs'))
    const patterns = readStrings(valueAt(node, 'patterns'))
    const isEmpty = unknown.length === node.entries.length
    if (isEmpty || keywords === undefined || verbs === undefined || !('strings' in patterns)) {
      return foreign(context, node, 'a mapping of "keywords", "verbs" and "patterns" to lists of words')
    }
    for (const { key, line } of unknown) {
      const message = `The trigger ${quote(key)} is not known and has no effect.`
      context.report.warning('FIELD_UNKNOWN', { line, message, hint: `Triggers are ${NAMES.join(', ')}.` })
    }
    return { keywords, verbs, patterns: usablePatterns(node, patterns.strings, context) }
  },
  written: ({ triggers }) => filledParts(triggers),
}

function usablePatterns(map: YamlMap, patterns: readonly string[], context: FieldContext): readonly string[] {
  if (patterns.length === 0) return patterns
  if (context.patterns === undefined) {
    context.needsPatterns = true
    return []
  }
  const checked = context.patterns(patterns)
  return patterns.filter((pattern, index) => {
    const result = checked[index]!
    if ('engine' in result) return true
    const node = valueAt(map, 'patterns')
    const { line } = (node?.kind === 'list' ? node.items[index] : node) ?? context
    const message = `The trigger pattern ${quote(pattern)} ${result.problem}.`
    context.report.warning('TRIGGER_PATTERN_INVALID', { line, message, hint: `It has no effect. ${result.hint}` })
    return false
  })
}

/** In code units. Longer patterns are not compiled: the compiler expands counted repetitions. */
const MAX_PATTERN_CHARS = 200
/**
 * The steps of all compiled patterns of a skill. The cost per character of a message grows with the steps, and a
 * pattern of thirty characters can have thousands. A usual pattern has about a hundred.
 */
const MAX_STEPS = 2_000

const SMALLER = 'Write fewer and shorter patterns, with fewer counted repetitions and alternatives.'

/**
 * Returns a checker for RE2 syntax, which has neither back-references nor look-around: every pattern runs in time
 * linear in the text. The first call imports the engine. Behind a pattern that is too large, none has an effect.
 */
export async function loadPatternChecker(): Promise<PatternChecker> {
  const { RE2JS, RE2JSException } = await import('re2js')
  return (patterns) => {
    let left = MAX_STEPS
    return patterns.map((pattern): CheckedPattern => {
      if (pattern.length > MAX_PATTERN_CHARS) {
        return { problem: `has ${pattern.length} characters of at most ${MAX_PATTERN_CHARS}`, hint: SMALLER }
      }
      const tooLarge = { problem: `makes the skill's patterns larger than ${MAX_STEPS} steps`, hint: SMALLER }
      if (left < 0) return tooLarge
      try {
        const engine = RE2JS.compile(pattern)
        left -= engine.programSize()
        return left < 0 ? tooLarge : { engine }
      } catch (error) {
        if (!(error instanceof RE2JSException)) throw error
        const reason = shown(error.message.replace(/^error parsing regexp: /, ''))
        const hint = 'Write it in RE2 syntax: no back-references, no look-around.'
        return { problem: `is not an RE2 expression (${reason})`, hint }
      }
    })
  }
}
