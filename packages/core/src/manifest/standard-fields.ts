/** The fields of the Agent Skills specification, one rule each. */

import type { ToolRule } from '../types.ts'
import { formatRule, parseAllowedTools } from './allowed-tools.ts'
import type { FieldContext, FieldRule } from './field.ts'
import { quote } from './hidden.ts'
import { countCodePoints, quoteHint, readName } from './name.ts'
import { describeType, readText, toJson } from './tree.ts'
import type { YamlNode } from './tree.ts'

const MAX_DESCRIPTION = 1024
const MAX_COMPATIBILITY = 500

export const readNameField: FieldRule = (node, context) => {
  const name = readName(node, context)
  return name === undefined ? undefined : { name }
}

/** "1-1024 characters, non-empty". Never made up and never coerced; what is too long still serves its purpose. */
export const readDescription: FieldRule = (node, { line, report }) => {
  const hint = 'Say what the skill does and when to use it.'
  const description = readText(node)?.trim()
  if (description === '' || (node.kind === 'scalar' && node.source === '')) {
    return report.error('DESCRIPTION_MISSING', { line, message: 'The description is empty.', hint })
  }
  if (description === undefined) {
    const message = `The description is ${describeType(node)}, not text.`
    return report.error('FIELD_TYPE', { line, message, hint: quoteHint(node) })
  }
  const length = countCodePoints(description)
  if (length > MAX_DESCRIPTION) {
    const message = `The description has ${length} characters of at most ${MAX_DESCRIPTION}.`
    report.deviation('DESCRIPTION_TOO_LONG', { line, message, hint: 'Shorten it, or move the detail into the body.' })
  }
  return { description }
}

export const readLicense: FieldRule = (node, context) => {
  const license = readSpelling(node, context)
  return license === undefined ? undefined : { license }
}

/** "1-500 characters". */
export const readCompatibility: FieldRule = (node, context) => {
  const { line, report } = context
  const compatibility = readSpelling(node, context)?.trim()
  if (compatibility === undefined) return undefined
  if (compatibility === '') {
    report.deviation('FIELD_EMPTY', { line, message: 'The field "compatibility" is empty.', hint: 'Remove it.' })
    return {}
  }
  const length = countCodePoints(compatibility)
  if (length > MAX_COMPATIBILITY) {
    const message = `The field "compatibility" has ${length} characters of at most ${MAX_COMPATIBILITY}.`
    report.deviation('FIELD_TOO_LONG', { line, message, hint: 'Shorten it, or move the detail into the body.' })
  }
  return { compatibility }
}

/**
 * "A map from string keys to string values". A number, a boolean and a null keep their spelling, as in the reference
 * library: `version: 1.10` is the string `1.10`.
 */
export const readMetadata: FieldRule = (node, { line, report }) => {
  if (node.kind !== 'map') {
    const message = `The field "metadata" is ${describeType(node)}, not a mapping.`
    return report.deviation('FIELD_TYPE', { line, message, hint: 'Write it as "key: value" lines.' })
  }
  const metadata = node.entries.map((entry) => {
    if (entry.value.kind === 'scalar') return [entry.key, entry.value.source]
    const message = `The value of ${quote(entry.key)} under "metadata" is ${describeType(entry.value)}, not text.`
    report.deviation('METADATA_VALUE', { line: entry.line, message, hint: 'It is kept as JSON. Write text instead.' })
    return [entry.key, toJson(entry.value)]
  })
  return { metadata: Object.fromEntries(metadata) }
}

/**
 * "A space-separated string". Commas and lists are as clear and common, so only `strict` refuses them; a malformed
 * rule is refused in every profile, because what is left of it could allow more than its author meant.
 */
export const readAllowedToolsField: FieldRule = (node, { line, report }) => {
  const allowedTools: ToolRule[] = []
  let commas = false
  for (const entry of node.kind === 'list' ? node.items : [node]) {
    const text = readText(entry)
    if (text === undefined) {
      const message = `The field "allowed-tools" holds ${describeType(entry)} where a rule belongs.`
      const hint = 'Write one string, such as "Read Bash(git:*)". Quote a rule that holds ": ".'
      return report.error('ALLOWED_TOOLS_INVALID', { line: entry.line, message, hint })
    }
    const result = parseAllowedTools(node.kind === 'list' ? [text] : text)
    if (!result.ok) {
      const message = `The field "allowed-tools" holds ${quote(result.rule)}, which ${result.problem}.`
      return report.error('ALLOWED_TOOLS_INVALID', { line: entry.line, message, hint: `${result.hint}.` })
    }
    allowedTools.push(...result.rules)
    commas ||= result.commas
  }
  const standard = allowedTools.map(formatRule).join(' ')
  if (node.kind === 'list' || commas) {
    const message = `The field "allowed-tools" is ${node.kind === 'list' ? 'a list' : 'separated by commas'}.`
    const hint = `The standard has one space-separated string: ${quote(standard)}.`
    report.deviation('ALLOWED_TOOLS_FORMAT', { line, message, hint })
  }
  return { allowedTools }
}

/** Text, or a number or boolean as it is spelled, which is certain and yet a deviation. */
function readSpelling(node: YamlNode, { key, line, report }: FieldContext): string | undefined {
  const text = readText(node)
  if (text !== undefined) return text
  const message = `The field "${key}" is ${describeType(node)}, not text.`
  report.deviation('FIELD_TYPE', { line, message, hint: quoteHint(node) })
  return node.kind === 'scalar' ? node.source : undefined
}
