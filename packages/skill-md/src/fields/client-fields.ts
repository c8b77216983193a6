/** Fields that other clients introduced, one rule each. In the profile `strict` they are unknown. */

import { formatRule, readRules } from './allowed-tools.ts'
import type { Field, FieldContext } from './field.ts'
import { foreign, readFilled, readStrings, show, textField } from './field-value.ts'
import { unicodeExpression } from '../text/escape.ts'
import { readText, type YamlNode } from '../yaml/tree.ts'

/** One name, or several with blanks or commas between them. */
const ARGUMENT_NAMES = String.raw`^\s*[A-Za-z_]\w*(?:[\s,]+[A-Za-z_]\w*)*\s*$`
const IS_ARGUMENT_NAMES = unicodeExpression(ARGUMENT_NAMES)

/** The fields that other clients introduced. */
export const CLIENT_FIELDS: Readonly<Record<string, Field>> = {
  /** `[file]` is a list in YAML, but its author meant a hint. `[file] [mode]` is not valid YAML and is repaired before. */
  'argument-hint': {
    property: 'argumentHint',
    origin: 'extension',
    summary: 'How the arguments look, for a person who types them, such as "[file] [mode]".',
    shape: { kind: 'hint' },
    empty: {},
    dispensable: true,
    rule(node, context) {
      const argumentHint = readFilled(node) ?? bracketed(node, context.line)
      return argumentHint === undefined ? foreign(context, node, 'text') : { argumentHint }
    },
  },
  arguments: {
    property: 'arguments',
    origin: 'extension',
    summary: 'The names of its arguments, in their order: "$name" in the body is the one at that place.',
    shape: { kind: 'texts', pattern: ARGUMENT_NAMES },
    empty: {},
    machineRead: true,
    rule(node, context) {
      const read = readStrings(node)
      const isRead = 'strings' in read && read.strings.every((text) => IS_ARGUMENT_NAMES().test(text))
      if (!isRead) return foreign(context, node, 'a list of names')
      return { arguments: read.strings.flatMap((text) => text.split(/[\s,]+/)) }
    },
  },
  when_to_use: textField('whenToUse', 'More on when to use the skill. It is listed behind the description.', {
    dispensable: true,
  }),
  /** Hides the skill from models. An unreadable value refuses the skill, which might otherwise be shown to a model. */
  'disable-model-invocation': {
    property: 'disableModelInvocation',
    origin: 'extension',
    summary: 'True: no model is shown the skill or may activate it, only a person.',
    shape: { kind: 'flag' },
    machineRead: true,
    restricts: true,
    rule(node, context) {
      const disableModelInvocation = readFlag(node, context)
      if (disableModelInvocation !== undefined) return { disableModelInvocation }
      const message = `The field "${context.key}" is ${show(node)}, which is neither true nor false.`
      return context.report.error('FIELD_VALUE', { line: context.line, message, hint: 'Write true or false.' })
    },
  },
  'user-invocable': {
    property: 'userInvocable',
    origin: 'extension',
    summary: 'False: no person is offered the skill, only a model.',
    shape: { kind: 'flag' },
    empty: {},
    machineRead: true,
    rule(node, context) {
      const userInvocable = readFlag(node, context)
      return userInvocable === undefined ? foreign(context, node, 'true or false') : { userInvocable }
    },
  },
  /** Forbids tools while the skill is active. A rule that cannot be read refuses the skill. */
  'disallowed-tools': {
    property: 'disallowedTools',
    origin: 'extension',
    summary: 'Tools that may not be used while the skill is active, whatever else allows them.',
    shape: { kind: 'rules', lists: true },
    empty: {},
    machineRead: true,
    looksForHidden: true,
    restricts: true,
    rule(node, context) {
      const result = readRules(node, context, 'DISALLOWED_TOOLS_INVALID')
      return result === undefined ? undefined : { disallowedTools: result.rules }
    },
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

/** Returns a one-line flow list as it was written. A list over several lines was not meant as a hint. */
function bracketed(node: YamlNode, line: number): string | undefined {
  if (node.kind !== 'list' || node.line !== line || node.items.length === 0) return undefined
  const words: string[] = []
  for (const item of node.items) {
    if (item.kind !== 'scalar') return undefined
    words.push(item.plain ? item.source : JSON.stringify(item.source))
  }
  return `[${words.join(', ')}]`
}
