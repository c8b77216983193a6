/** Fields that other clients introduced, one rule each. In the profile `strict` they are unknown. */

import { formatRule, readRules } from './allowed-tools.ts'
import type { Field, FieldContext } from './field.ts'
import { filledText, foreign, readFilled, readStrings, scalar, show, textField, texts } from './field-value.ts'
import { readText, type YamlNode } from '../yaml/tree.ts'

/** One name, or several with blanks or commas between them. */
const ARGUMENT_NAMES = /^\s*[A-Za-z_]\w*(?:[\s,]+[A-Za-z_]\w*)*\s*$/

/** The fields that other clients introduced. */
export const CLIENT_FIELDS: Readonly<Record<string, Field>> = {
  /** `[file]` is a list in YAML; its author meant a hint. `[file] [mode]` is no valid YAML, and repaired before. */
  'argument-hint': {
    summary: 'How the arguments look, for a person who types them, such as "[file] [mode]".',
    schema: (zod) => zod.union([filledText(zod), zod.array(scalar(zod)).min(1)]),
    isProse: true,
    rule: (node, context) => readFilled(node) ?? bracketed(node, context.line) ?? foreign(context, node, 'text'),
  },
  arguments: {
    summary: 'The names of its arguments, in their order: "$name" in the body is the one at that place.',
    schema: (zod) => texts(zod, ARGUMENT_NAMES),
    rule(node, context) {
      const read = readStrings(node)
      const isRead = 'strings' in read && read.strings.every((text) => ARGUMENT_NAMES.test(text))
      if (!isRead) return foreign(context, node, 'a list of names')
      return read.strings.flatMap((text) => text.split(/[\s,]+/))
    },
  },
  when_to_use: textField('More on when to use the skill. It is listed behind the description.', true),
  /** Hides the skill from models. An unreadable value refuses the skill, which might otherwise be shown to a model. */
  'disable-model-invocation': {
    summary: 'True: no model is shown the skill or may activate it, only a person.',
    schema: (zod) => zod.boolean(),
    restricts: true,
    empty: 'judged',
    rule(node, context) {
      const { key, line, report } = context
      const flag = readFlag(node, context)
      if (flag !== undefined) return flag
      const message = `The field "${key}" is ${show(node)}, which is neither true nor false.`
      return report.error('FIELD_VALUE', { line, message, hint: 'Write true or false.' })
    },
  },
  'user-invocable': {
    summary: 'False: no person is offered the skill, only a model.',
    schema: (zod) => zod.boolean(),
    rule: (node, context) => readFlag(node, context) ?? foreign(context, node, 'true or false'),
  },
  /** Forbids tools while the skill is active. A rule that cannot be read refuses the skill. */
  'disallowed-tools': {
    summary: 'Tools that may not be used while the skill is active, whatever else allows them.',
    schema: (zod) => zod.union([zod.string(), zod.array(zod.string())]),
    restricts: true,
    rule: (node, context) => readRules(node, context, 'DISALLOWED_TOOLS_INVALID')?.rules,
    written: ({ disallowedTools }) => disallowedTools?.map(formatRule).join(' '),
  },
}

/** Returns a boolean; one in quotes is accepted with a warning, since its meaning is certain. */
function readFlag(node: YamlNode, { key, line, report }: FieldContext): boolean | undefined {
  if (node.kind === 'scalar' && typeof node.value === 'boolean') return node.value
  const text = readText(node)
  if (text !== 'true' && text !== 'false') return undefined
  const message = `The field "${key}" is the text "${text}". It is read as ${text}.`
  report.warning('FIELD_TYPE', { line, message, hint: 'Remove the quotes.' })
  return text === 'true'
}

/** Returns a one-line flow list of plain words as it was written. A list over several lines was not meant as a hint. */
function bracketed(node: YamlNode, line: number): string | undefined {
  if (node.kind !== 'list' || node.line !== line || node.items.length === 0) return undefined
  const words = node.items.map((item) => (item.kind === 'scalar' && item.plain ? item.source : undefined))
  return words.includes(undefined) ? undefined : `[${words.join(', ')}]`
}
