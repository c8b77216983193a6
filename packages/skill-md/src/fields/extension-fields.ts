/** The fields beyond the Agent Skills specification, one rule each. In the profile `strict` they are unknown. */

import type { SkillStatus, SkillType } from '../ports/manifest.ts'
import type { Field, FieldContext } from './field.ts'
import { filledParts, foreign, oneOf, pick, readStrings, readWords, show, textField } from './field-value.ts'
import { excerpt } from '../text/hidden.ts'
import { parametersField } from './parameters.ts'
import { triggersField } from './triggers.ts'
import type { YamlNode } from '../yaml/tree.ts'
import { unicodeExpression } from '../text/escape.ts'
import { isNear, nearestNames } from '../text/nearest.ts'

const TYPES: readonly SkillType[] = ['instruction', 'composite', 'script', 'template']
const STATUSES: readonly SkillStatus[] = ['active', 'draft', 'disabled']
const CONTEXTS = ['inherit', 'fork'] as const
const SCOPES = ['agents', 'tenants', 'environments'] as const
const HOOKS = ['pre', 'post'] as const
/** What other clients write as a scope, which hides a skill from nobody. Any other word may name who may see it. */
const FOREIGN_SCOPES: ReadonlySet<string> = new Set(
  (
    'implementation review testing design planning documentation analysis research debugging refactoring maintenance ' +
    'operations security performance project user global local personal workspace repository repo package folder file ' +
    'function module session all any general generic everyone public'
  ).split(' '),
)
/** A module specifier, a colon, and the name of one of its exports. */
const TOOLSET = String.raw`^\s*\S+:[\p{ID_Start}$_][\p{ID_Continue}$]*\s*$`
const IS_TOOLSET = unicodeExpression(TOOLSET)

/** The fields beyond the specification. */
export const EXTENSION_FIELDS: Readonly<Record<string, Field>> = {
  /** The kind of the body. With an unknown type it is treated as text, which runs nothing. */
  type: {
    property: 'type',
    origin: 'extension',
    summary: 'What the body is: text for the model, a plan of steps, a script, or a template.',
    shape: { kind: 'choice', values: TYPES },
    empty: {},
    machineRead: true,
    rule(node, context) {
      const type = oneOf(TYPES, node)
      return type === undefined ? foreign(context, node, `one of ${TYPES.join(', ')}`) : { type }
    },
  },
  /** An unknown status is refused: it may be a misspelt `disabled`. */
  status: {
    property: 'status',
    origin: 'extension',
    summary: 'Only active skills are listed.',
    shape: { kind: 'choice', values: STATUSES },
    empty: {},
    machineRead: true,
    restricts: true,
    rule(node, { line, report }) {
      const status = oneOf(STATUSES, node)
      if (status !== undefined) return { status }
      const message = `The field "status" is ${show(node)}, which is not a status.`
      return report.error('FIELD_VALUE', { line, message, hint: `Write one of ${STATUSES.join(', ')}.` })
    },
  },
  parameters: parametersField,
  source: textField('source', 'Where an imported skill came from. Absent: it is local.', {
    machineRead: true,
    dispensable: true,
  }),
  'created-by': textField('createdBy', 'Who or what made the skill: a person, a program.', {
    machineRead: true,
    dispensable: true,
  }),
  model: textField('model', 'The model that the skill is to run with.', { machineRead: true }),
  context: {
    property: 'context',
    origin: 'extension',
    summary: 'Whether the skill works in the conversation or in a sub-agent.',
    shape: { kind: 'choice', values: CONTEXTS },
    empty: {},
    machineRead: true,
    rule(node, context) {
      const value = oneOf(CONTEXTS, node)
      return value === undefined ? foreign(context, node, `one of ${CONTEXTS.join(', ')}`) : { context: value }
    },
  },
  agent: textField('agent', 'The agent that a forked skill runs in. Only with "context: fork".', {
    machineRead: true,
  }),
  /**
   * `pre` and `post`, each a command or a list of commands. A command that cannot be read refuses the skill, since a
   * hook before activation may be there to prevent it. Other clients have other hooks, which never run here.
   */
  hooks: {
    property: 'hooks',
    origin: 'extension',
    summary: 'Commands around the skill: "pre" before its activation, "post" after its end.',
    shape: { kind: 'mapping', entries: { pre: { kind: 'texts' }, post: { kind: 'texts' } }, min: 1 },
    empty: {},
    machineRead: true,
    rule(node, context) {
      if (node.kind !== 'map') {
        const message = `The field "hooks" is ${show(node)}, which does not say when it runs.`
        return context.report.error('FIELD_TYPE', {
          line: context.line,
          message,
          hint: 'Write "hooks:", and below it "  pre: ".',
        })
      }
      const parts = pick(node, HOOKS)
      const unknown = node.entries.find(({ key }) => !parts.has(key))
      if (unknown !== undefined) {
        const message = `The hook ${excerpt(unknown.key)} is not known and never runs.`
        const meant = HOOKS.find((name) => isNear(unknown.key.toLowerCase(), name))
        const hint = meant === undefined ? 'Hooks are "pre" and "post".' : `Write "${meant}".`
        const finding = { line: unknown.line, message, hint }
        // It may be there to prevent something. Other names are the hooks of another client.
        if (meant !== undefined) return context.report.error('FIELD_MISSPELLED', finding)
        context.report.warning('FIELD_UNKNOWN', finding)
      }
      if (parts.size === 0) return foreign(context, node, 'a mapping with "pre" and "post"')
      const pre = certainStrings(parts.get('pre'), context, 'hooks.pre')
      const post = certainStrings(parts.get('post'), context, 'hooks.post')
      return pre === undefined || post === undefined ? undefined : { hooks: { pre, post } }
    },
    written: ({ hooks }) => filledParts(hooks),
  },
  priority: {
    property: 'priority',
    origin: 'extension',
    summary: 'Decides between skills of one name in one layer: the highest is used. 0 by default.',
    shape: { kind: 'integer' },
    empty: {},
    machineRead: true,
    rule(node, context) {
      const priority = node.kind === 'scalar' && node.plain ? node.value : undefined
      return Number.isSafeInteger(priority) ? { priority: priority as number } : foreign(context, node, 'an integer')
    },
  },
  /** A list of words, or words in one string, separated by commas. */
  tags: {
    property: 'tags',
    origin: 'extension',
    summary: 'Words to find the skill by.',
    shape: { kind: 'words' },
    empty: {},
    machineRead: true,
    dispensable: true,
    rule(node, context) {
      const tags = readWords(node)
      return tags === undefined ? foreign(context, node, 'a list of words') : { tags }
    },
  },
  /**
   * Hides the skill from everyone except those named. A part that cannot be read refuses the skill, which might otherwise
   * be shown too widely, and so does a list or a word, which do not say of what. Other clients use this field for the words
   * of `FOREIGN_SCOPES`, which hide nothing.
   */
  scope: {
    property: 'scope',
    origin: 'extension',
    summary: 'Who may see the skill: the agents, tenants and environments named. Absent: everyone.',
    shape: {
      kind: 'mapping',
      entries: { agents: { kind: 'texts' }, tenants: { kind: 'texts' }, environments: { kind: 'texts' } },
      min: 0,
    },
    empty: {},
    machineRead: true,
    restricts: true,
    rule(node, context) {
      if (node.kind === 'list') {
        const message = 'The field "scope" is a list, which does not say what its entries are.'
        const hint = 'Write "scope:", and below it "  agents: [...]", "  tenants: [...]" or "  environments: [...]".'
        return context.report.error('FIELD_TYPE', { line: node.line, message, hint })
      }
      if (node.kind === 'scalar') {
        if (FOREIGN_SCOPES.has(String(node.value).trim().toLowerCase())) return foreign(context, node, 'a mapping')
        const message = `The field "scope" is ${show(node)}, which does not say who may see the skill.`
        const hint = 'Write "scope:", and below it "  environments: [production]", or "  agents:" or "  tenants:".'
        return context.report.error('FIELD_VALUE', { line: node.line, message, hint })
      }
      const parts = pick(node, SCOPES)
      const unknown = node.entries.find(({ key }) => !parts.has(key))
      if (unknown !== undefined) {
        const message = `The field "scope" holds ${excerpt(unknown.key)}, which is not known.`
        const meant = nearestNames(unknown.key, SCOPES, 1)[0]
        const hint = meant === undefined ? `Scope by ${SCOPES.join(', ')}.` : `Write "${meant}".`
        return context.report.error('FIELD_VALUE', { line: unknown.line, message, hint })
      }
      const scope: { -readonly [K in (typeof SCOPES)[number]]?: readonly string[] } = {}
      for (const name of SCOPES) {
        if (!parts.has(name)) continue
        const values = certainStrings(parts.get(name), context, `scope.${name}`)
        if (values === undefined) return undefined
        scope[name] = values
      }
      return { scope }
    },
  },
  /** Tools that the skill brings; nothing is loaded here. If one entry cannot be read, the whole field has no effect. */
  toolsets: {
    property: 'toolsets',
    origin: 'extension',
    summary: 'Tools that the skill brings, each as "module:Export".',
    shape: { kind: 'texts', pattern: TOOLSET },
    empty: {},
    machineRead: true,
    rule(node, context) {
      const toolsets = readStrings(node)
      const isRead = 'strings' in toolsets && toolsets.strings.every((toolset) => IS_TOOLSET().test(toolset))
      return isRead ? { toolsets: toolsets.strings } : foreign(context, node, 'a list of "module:Export"')
    },
  },
  triggers: triggersField,
}

/** Returns the strings of a field, or reports an error: such a field must not be ignored. */
function certainStrings(
  node: YamlNode | undefined,
  { report }: FieldContext,
  where: string,
): readonly string[] | undefined {
  const result = readStrings(node)
  if ('strings' in result) return result.strings
  const message = `The field "${where}" holds ${result.wrong} where text belongs.`
  return report.error('FIELD_TYPE', { line: result.line, message, hint: 'Put each entry in quotes.' })
}
