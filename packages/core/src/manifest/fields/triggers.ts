import type { Manifest } from '../../types.ts'
import type { Field, FieldContext } from './field.ts'
import { foreign, pick, readStrings, readWords } from './field-value.ts'
import { quote } from '../hidden.ts'
import type { YamlNode } from '../yaml/tree.ts'

const NAMES = ['keywords', 'verbs', 'patterns'] as const

/**
 * When the skill suggests itself. A plain list of words, as many skills have it, can only be the keywords. A pattern
 * that no engine may run takes itself away and leaves the rest: the skill then suggests itself less often.
 */
export const triggersField: Field = {
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
    return { triggers: { keywords, verbs, patterns: usable(parts.get('patterns'), patterns.strings, context) } }
  },
}

function usable(
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
  return patterns.filter((pattern, index) => {
    const problem = check(pattern)
    if (problem === undefined) return true
    const line = node?.kind === 'list' ? node.items[index]?.line : node?.line
    const message = `The trigger pattern ${quote(pattern)} ${problem}.`
    const hint = 'It has no effect. Write it in RE2 syntax: no back-references, no look-around.'
    report.warning('TRIGGER_PATTERN_INVALID', { ...(line !== undefined && { line }), message, hint })
    return false
  })
}
