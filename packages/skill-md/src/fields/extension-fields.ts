/** The fields beyond the Agent Skills specification, one rule each. In the profile `strict` they are unknown. */

import type { Field } from './field.ts'
import {
  certainStrings,
  choiceField,
  filledParts,
  foreign,
  mapping,
  oneOf,
  readStrings,
  readWords,
  show,
  textField,
  texts,
  words,
} from './field-value.ts'
import { quote } from '../text/escape.ts'
import { parametersField } from './parameters.ts'
import { triggersField } from './triggers.ts'
import { unicodeExpression } from '../text/hidden.ts'
import { isNear } from '../text/nearest.ts'

const STATUSES = ['active', 'draft', 'disabled']
const SCOPES = ['agents', 'tenants', 'environments']
const HOOKS = ['pre', 'post']
/** What other clients write as a scope, without hiding a skill. Any other word may name who may see it. */
const FOREIGN_SCOPES: ReadonlySet<string> = new Set(
  (
    'implementation review testing design planning documentation analysis research debugging refactoring maintenance ' +
    'operations security performance project user global local personal workspace repository repo package folder file ' +
    'function module session all any general generic everyone public'
  ).split(' '),
)
/** A module specifier, a colon, and the name of one of its exports. */
const TOOLSET = unicodeExpression(String.raw`^\s*\S+:[\p{ID_Start}$_][\p{ID_Continue}$]*\s*$`)

/** The fields beyond the specification. */
export const EXTENSION_FIELDS: Readonly<Record<string, Field>> = {
  /** With an unknown type the body is treated as text, which runs nothing. */
  type: choiceField('What the body is: text for the model, a plan of steps, a script, or a template.', [
    'instruction',
    'composite',
    'script',
    'template',
  ]),
  /** An unknown status is refused: it may be a misspelt `disabled`. */
  status: {
    summary: 'Only active skills are listed.',
    schema: (zod) => zod.enum(STATUSES),
    restricts: true,
    rule(node, { line, report }) {
      const status = oneOf(STATUSES, node)
      if (status !== undefined) return status
      const message = `The field "status" is ${show(node)}, which is not a status.`
      return report.error('FIELD_VALUE', { line, message, hint: `Write one of ${STATUSES.join(', ')}.` })
    },
  },
  parameters: parametersField,
  source: textField('Where an imported skill came from. Absent: it is local.'),
  'created-by': textField('Who or what made the skill: a person, a program.'),
  model: textField('The model that the skill is to run with.'),
  context: choiceField('Whether the skill works in the conversation or in a sub-agent.', ['inherit', 'fork']),
  agent: textField('The agent that a forked skill runs in. Only with "context: fork".'),
  /**
   * `pre` and `post`, each a command or a list of commands. A command that cannot be read refuses the skill, since a
   * hook before activation may be there to prevent it. Other clients have other hooks, which never run here.
   */
  hooks: {
    summary: 'Commands around the skill: "pre" before its activation, "post" after its end.',
    schema: (zod) => mapping(zod, { pre: texts(zod), post: texts(zod) }),
    rule(node, context) {
      const { line, report } = context
      if (node.kind !== 'map') {
        const message = `The field "hooks" is ${show(node)}, which does not say when it runs.`
        return report.error('FIELD_TYPE', { line, message, hint: 'Write "hooks:", and below it "  pre: ".' })
      }
      const unknown = node.entries.find(({ key }) => !HOOKS.includes(key))
      if (unknown !== undefined) {
        const message = `The hook ${quote(unknown.key)} is not known and never runs.`
        const meant = HOOKS.find((name) => isNear(unknown.key.toLowerCase(), name))
        // It may be there to prevent something. Other names are the hooks of another client.
        if (meant !== undefined) {
          return report.error('FIELD_MISSPELLED', { line: unknown.line, message, hint: `Write "${meant}".` })
        }
        report.warning('FIELD_UNKNOWN', { line: unknown.line, message, hint: 'Hooks are "pre" and "post".' })
      }
      if (node.entries.every(({ key }) => !HOOKS.includes(key))) {
        return foreign(context, node, 'a mapping with "pre" and "post"')
      }
      const pre = certainStrings(node, 'pre', context)
      const post = certainStrings(node, 'post', context)
      return pre === undefined || post === undefined ? undefined : { pre, post }
    },
    written: ({ hooks }) => filledParts(hooks),
  },
  priority: {
    summary: 'Decides between skills of one name in one layer: the highest is used. 0 by default.',
    schema: (zod) => zod.int(),
    rule(node, context) {
      const priority = node.kind === 'scalar' && node.plain ? node.value : undefined
      return Number.isSafeInteger(priority) ? priority : foreign(context, node, 'an integer')
    },
  },
  /** A list of words, or words in one string, separated by commas. */
  tags: {
    summary: 'Words to find the skill by.',
    schema: words,
    rule: (node, context) => readWords(node) ?? foreign(context, node, 'a list of words'),
  },
  /**
   * Hides the skill from everyone except those named. A part that cannot be read refuses the skill, which might
   * otherwise be shown too widely, and so does a list or a word, which do not say of what. Other clients use this field
   * for the words of `FOREIGN_SCOPES`, which hide nothing.
   */
  scope: {
    summary: 'Who may see the skill: the agents, tenants and environments named. Absent: everyone.',
    schema: (zod) => mapping(zod, Object.fromEntries(SCOPES.map((name) => [name, texts(zod)]))),
    restricts: true,
    rule(node, context) {
      const { report } = context
      if (node.kind === 'scalar' && FOREIGN_SCOPES.has(String(node.value).trim().toLowerCase())) {
        return foreign(context, node, 'a mapping')
      }
      if (node.kind !== 'map') {
        const message = `The field "scope" is ${show(node)}, which does not say who may see the skill.`
        const hint = 'Write "scope:", and below it "  environments: [production]", or "  agents:" or "  tenants:".'
        return report.error(node.kind === 'list' ? 'FIELD_TYPE' : 'FIELD_VALUE', { line: node.line, message, hint })
      }
      const scope: Record<string, readonly string[]> = {}
      for (const { key, line } of node.entries) {
        if (!SCOPES.includes(key)) {
          const message = `The field "scope" holds ${quote(key)}, which is not known.`
          return report.error('FIELD_VALUE', { line, message, hint: `Scope by ${SCOPES.join(', ')}.` })
        }
        const values = certainStrings(node, key, context)
        if (values === undefined) return undefined
        scope[key] = values
      }
      return scope
    },
  },
  /** Tools that the skill brings; nothing is loaded here. If one entry cannot be read, the field has no effect. */
  toolsets: {
    summary: 'Tools that the skill brings, each as "module:Export".',
    schema: (zod) => texts(zod, TOOLSET()),
    rule(node, context) {
      const toolsets = readStrings(node)
      const isRead = 'strings' in toolsets && toolsets.strings.every((toolset) => TOOLSET().test(toolset))
      return isRead ? toolsets.strings : foreign(context, node, 'a list of "module:Export"')
    },
  },
  triggers: triggersField,
}
