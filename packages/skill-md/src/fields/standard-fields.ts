/** The fields of the Agent Skills specification, one rule each. */

import { formatRule, readRules } from './allowed-tools.ts'
import type { Field, FieldContext } from './field.ts'
import { countCodePoints, limitedText, quoteHint, scalar } from './field-value.ts'
import { quote } from '../text/escape.ts'
import { NAME_PATTERN, readName } from './name.ts'
import { describeType, readText, toValue, type YamlNode } from '../yaml/tree.ts'
import { MAX_DESCRIPTION_CHARS, MAX_NAME_CHARS } from '../ports/limits.ts'

const MAX_COMPATIBILITY_CHARS = 500

/** The fields of the Agent Skills specification, in its order. */
export const STANDARD_FIELDS: Readonly<Record<string, Field>> = {
  name: {
    summary: "The skill's name: lowercase letters, digits and single inner hyphens. It equals the folder's name.",
    schema: (zod) => limitedText(zod, MAX_NAME_CHARS, new RegExp(NAME_PATTERN, 'u')),
    empty: 'judged',
    rule: readName,
    written: ({ name }) => name,
  },
  /** "1-1024 characters, non-empty" in the specification. Never generated or coerced. One that is too long is kept. */
  description: {
    summary: 'What the skill does and when to use it. It is all that a model knows before it activates the skill.',
    schema: (zod) => limitedText(zod, MAX_DESCRIPTION_CHARS),
    isProse: true,
    empty: 'judged',
    rule(node, { line, report }) {
      const description = readText(node)?.trim()
      if (description === '' || (node.kind === 'scalar' && node.source === '')) {
        const hint = 'Say what the skill does and when to use it.'
        return report.error('DESCRIPTION_MISSING', { line, message: 'The description is empty.', hint })
      }
      if (description === undefined) {
        const message = `The description is ${describeType(node)}, not text.`
        return report.error('FIELD_TYPE', { line, message, hint: quoteHint(node) })
      }
      if (isLonger(description, MAX_DESCRIPTION_CHARS)) {
        const length = countCodePoints(description)
        const message = `The description has ${length} characters of at most ${MAX_DESCRIPTION_CHARS}.`
        const hint = 'Shorten it, or move the detail into the body.'
        report.deviation('DESCRIPTION_TOO_LONG', { line, message, hint })
      }
      return description
    },
    written: ({ description }) => description,
  },
  license: {
    summary: 'The license: its name, or the file that holds it.',
    schema: (zod) => zod.string(),
    isProse: true,
    rule: readSpelling,
  },
  /** "1-500 characters". */
  compatibility: {
    summary: 'What the skill needs: a product, programs, access to the network.',
    schema: (zod) => limitedText(zod, MAX_COMPATIBILITY_CHARS),
    isProse: true,
    rule(node, context) {
      const { line, report } = context
      const compatibility = readSpelling(node, context)?.trim()
      if (compatibility === undefined) return undefined
      if (compatibility === '') {
        report.deviation('FIELD_EMPTY', { line, message: 'The field "compatibility" is empty.', hint: 'Remove it.' })
        return null
      }
      if (isLonger(compatibility, MAX_COMPATIBILITY_CHARS)) {
        const length = countCodePoints(compatibility)
        const message = `The field "compatibility" has ${length} characters of at most ${MAX_COMPATIBILITY_CHARS}.`
        report.deviation('FIELD_TOO_LONG', { line, message, hint: 'Shorten it, or move the detail into the body.' })
      }
      return compatibility
    },
  },
  /**
   * "A map from string keys to string values". A number, a boolean and a null keep their spelling, as in the reference
   * library: `version: 1.10` is the string `1.10`.
   */
  metadata: {
    summary: 'Names and texts of your own.',
    schema: (zod) => zod.record(zod.string(), scalar(zod)),
    isProse: true,
    rule(node, { line, profile, report }) {
      if (node.kind !== 'map') {
        const message = `The field "metadata" is ${describeType(node)}, not a mapping.`
        return report.deviation('FIELD_TYPE', { line, message, hint: 'Write it as "key: value" lines.' })
      }
      const metadata: Record<string, string> = {}
      // The reader refuses the keys that reach a prototype.
      for (const { key, line: at, value } of node.entries) {
        const isKept = value.kind === 'scalar'
        metadata[key] = isKept ? value.source : JSON.stringify(toValue(value))
        // Only the letter of the standard is against a number or a boolean: its spelling is kept.
        if (isKept && (profile !== 'strict' || typeof value.value === 'string')) continue
        const message = `The value of ${quote(key)} under "metadata" is ${describeType(value)}, not text.`
        const hint = isKept ? quoteHint(value) : 'It is kept as JSON. Write text instead.'
        report.deviation('METADATA_VALUE', { line: at, message, hint })
      }
      return metadata
    },
  },
  /**
   * "A space-separated string". Commas and lists are unambiguous and common, so only `strict` refuses them. An empty
   * field is not the same as an absent one: it allows nothing.
   */
  'allowed-tools': {
    summary: 'The only tools that may be used while the skill is active, such as "Read Bash(git:*)". Absent: any.',
    schema: (zod) => zod.string(),
    empty: [],
    restricts: true,
    rule(node, context) {
      const result = readRules(node, context, 'ALLOWED_TOOLS_INVALID')
      if (result === undefined) return undefined
      if (node.kind === 'list' || result.commas) {
        const message = `The field "allowed-tools" is ${node.kind === 'list' ? 'a list' : 'separated by commas'}.`
        const rules = quote(result.rules.map(formatRule).join(' '))
        const hint = `The standard has one space-separated string: ${rules}.`
        context.report.deviation('ALLOWED_TOOLS_FORMAT', { line: context.line, message, hint })
      }
      return result.rules
    },
    // The standard has one string. An empty string allows nothing, so it is not left out.
    written: ({ allowedTools }) => allowedTools?.map(formatRule).join(' '),
  },
}

/** A text never has more code points than code units, so most texts need not be counted. */
function isLonger(text: string, max: number): boolean {
  return text.length > max && countCodePoints(text) > max
}

/** Returns text, or the spelling of a number or boolean, which is unambiguous but reported as a deviation. */
function readSpelling(node: YamlNode, { key, line, report }: FieldContext): string | undefined {
  const text = readText(node)
  if (text !== undefined) return text
  const message = `The field "${key}" is ${describeType(node)}, not text.`
  report.deviation('FIELD_TYPE', { line, message, hint: quoteHint(node) })
  return node.kind === 'scalar' ? node.source : undefined
}
