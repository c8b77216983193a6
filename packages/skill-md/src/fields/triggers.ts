import type { Manifest } from '../ports/manifest.ts'
import type { Field, FieldContext } from './field.ts'
import { filledParts, foreign, pick, readStrings, readWords } from './field-value.ts'
import { quote } from '../hidden.ts'
import type { YamlNode } from '../yaml/tree.ts'
import { MAX_PATTERNS } from './trigger-pattern.ts'

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
      const message = `The trigger ${quote(key)} is not known and has no effect.`
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
    const message = `The trigger pattern ${quote(pattern)} ${result.problem}.`
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
