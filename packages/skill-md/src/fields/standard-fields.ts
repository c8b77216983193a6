/** The fields of the Agent Skills specification, one rule each. */

import { formatRule, readRules } from './allowed-tools.ts'
import type { Field, FieldContext, TextShape } from './field.ts'
import { excerpt } from '../text/hidden.ts'
import { countCodePoints, NAME, quoteHint, readName } from './name.ts'
import { describeType, readText, toJson, type YamlNode } from '../yaml/tree.ts'
import { MAX_DESCRIPTION_CHARS } from '../ports/limits.ts'

const DESCRIPTION = { kind: 'text', min: 1, max: MAX_DESCRIPTION_CHARS } as const satisfies TextShape
const COMPATIBILITY = { kind: 'text', min: 1, max: 500 } as const satisfies TextShape

/** The fields of the Agent Skills specification, in its order. */
export const STANDARD_FIELDS: Readonly<Record<string, Field>> = {
  name: {
    property: 'name',
    origin: 'standard',
    summary: "The skill's name: lowercase letters, digits and single inner hyphens. It equals the folder's name.",
    shape: NAME,
    machineRead: true,
    looksForHidden: true,
    rule(node, context) {
      const name = readName(node, context)
      return name === undefined ? undefined : { name }
    },
    written: ({ name }) => name,
  },
  /** "1-1024 characters, non-empty" in the specification. Never generated or coerced. One that is too long is kept. */
  description: {
    property: 'description',
    origin: 'standard',
    summary: 'What the skill does and when to use it. It is all that a model knows before it activates the skill.',
    shape: DESCRIPTION,
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
      if (description.length > DESCRIPTION.max && isLonger(description, DESCRIPTION.max)) {
        const message = `The description has ${countCodePoints(description)} characters of at most ${DESCRIPTION.max}.`
        const shorter = 'Shorten it, or move the detail into the body.'
        report.deviation('DESCRIPTION_TOO_LONG', { line, message, hint: shorter })
      }
      return { description }
    },
    written: ({ description }) => description,
  },
  license: {
    property: 'license',
    origin: 'standard',
    summary: 'The license: its name, or the file that holds it.',
    shape: { kind: 'text' },
    empty: {},
    dispensable: true,
    rule(node, context) {
      const license = readSpelling(node, context)
      return license === undefined ? undefined : { license }
    },
  },
  /** "1-500 characters". */
  compatibility: {
    property: 'compatibility',
    origin: 'standard',
    summary: 'What the skill needs: a product, programs, access to the network.',
    shape: COMPATIBILITY,
    empty: {},
    dispensable: true,
    rule(node, context) {
      const { line, report } = context
      const compatibility = readSpelling(node, context)?.trim()
      if (compatibility === undefined) return undefined
      if (compatibility === '') {
        report.deviation('FIELD_EMPTY', { line, message: 'The field "compatibility" is empty.', hint: 'Remove it.' })
        return {}
      }
      if (isLonger(compatibility, COMPATIBILITY.max)) {
        const length = countCodePoints(compatibility)
        const message = `The field "compatibility" has ${length} characters of at most ${COMPATIBILITY.max}.`
        report.deviation('FIELD_TOO_LONG', { line, message, hint: 'Shorten it, or move the detail into the body.' })
      }
      return { compatibility }
    },
  },
  /**
   * "A map from string keys to string values". A number, a boolean and a null keep their spelling, as in the reference
   * library: `version: 1.10` is the string `1.10`.
   */
  metadata: {
    property: 'metadata',
    origin: 'standard',
    summary: 'Names and texts of your own.',
    shape: { kind: 'spellings' },
    empty: {},
    dispensable: true,
    rule(node, { line, profile, report }) {
      if (node.kind !== 'map') {
        const message = `The field "metadata" is ${describeType(node)}, not a mapping.`
        return report.deviation('FIELD_TYPE', { line, message, hint: 'Write it as "key: value" lines.' })
      }
      const metadata: Record<string, string> = {}
      for (const entry of node.entries) {
        // The reader refuses the keys that reach a prototype.
        if (entry.value.kind === 'scalar') {
          metadata[entry.key] = entry.value.source
          // Its spelling is kept, so that only the letter of the standard is against it.
          if (profile === 'strict' && typeof entry.value.value !== 'string') {
            const message = `The value of ${excerpt(entry.key)} under "metadata" is ${describeType(entry.value)}, not text.`
            report.error('METADATA_VALUE', { line: entry.line, message, hint: quoteHint(entry.value) })
          }
        } else {
          const message = `The value of ${excerpt(entry.key)} under "metadata" is ${describeType(entry.value)}, not text.`
          const hint = 'It is kept as JSON. Write text instead.'
          report.deviation('METADATA_VALUE', { line: entry.line, message, hint })
          metadata[entry.key] = toJson(entry.value)
        }
      }
      return { metadata }
    },
  },
  /**
   * "A space-separated string". Commas and lists are unambiguous and common, so only `strict` refuses them. An empty field
   * is not the same as an absent one: it allows nothing.
   */
  'allowed-tools': {
    property: 'allowedTools',
    origin: 'standard',
    summary: 'The only tools that may be used while the skill is active, such as "Read Bash(git:*)". Absent: any.',
    shape: { kind: 'rules', lists: false },
    empty: { allowedTools: [] },
    machineRead: true,
    looksForHidden: true,
    restricts: true,
    rule(node, context) {
      const result = readRules(node, context, 'ALLOWED_TOOLS_INVALID')
      if (result === undefined) return undefined
      if (node.kind === 'list' || result.commas) {
        const message = `The field "allowed-tools" is ${node.kind === 'list' ? 'a list' : 'separated by commas'}.`
        const rules = excerpt(result.rules.map(formatRule).join(' '))
        const hint = `The standard has one space-separated string: ${rules}.`
        context.report.deviation('ALLOWED_TOOLS_FORMAT', { line: context.line, message, hint })
      }
      return { allowedTools: result.rules }
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
