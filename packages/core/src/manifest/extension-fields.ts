/** The fields beyond the Agent Skills specification, one rule each. In the profile `strict` they are unknown. */

import type { SkillStatus, SkillType } from '../types.ts'
import type { FieldContext, FieldRule } from './field.ts'
import { quote } from './hidden.ts'
import { describeType, readText } from './tree.ts'
import type { YamlMap, YamlNode } from './tree.ts'

const TYPES: readonly SkillType[] = ['instruction', 'composite', 'script', 'template']
const STATUSES: readonly SkillStatus[] = ['active', 'draft', 'disabled']
const CONTEXTS = ['inherit', 'fork'] as const

/** What the body is. Of an unknown type it stays text, which runs nothing. */
export const readType: FieldRule = (node, context) => {
  const type = oneOf(TYPES, node)
  return type === undefined ? foreign(context, node, `one of ${TYPES.join(', ')}`) : { type }
}

/** An unknown status is refused: it may be a misspelt `disabled`. */
export const readStatus: FieldRule = (node, { line, report }) => {
  const status = oneOf(STATUSES, node)
  if (status !== undefined) return { status }
  const message = `The field "status" is ${show(node)}, which is no status.`
  return report.error('FIELD_VALUE', { line, message, hint: `Write one of ${STATUSES.join(', ')}.` })
}

export const readModel: FieldRule = (node, context) => {
  const model = readText(node)?.trim()
  return model === undefined || model === '' ? foreign(context, node, 'text') : { model }
}

export const readContext: FieldRule = (node, context) => {
  const value = oneOf(CONTEXTS, node)
  return value === undefined ? foreign(context, node, `one of ${CONTEXTS.join(', ')}`) : { context: value }
}

export const readAgent: FieldRule = (node, context) => {
  const agent = readText(node)?.trim()
  return agent === undefined || agent === '' ? foreign(context, node, 'text') : { agent }
}

/**
 * `pre` and `post`, each a command or a list of commands. A command that cannot be read refuses the skill, since a
 * hook before activation may be there to prevent it. Other clients call other things hooks; those never run.
 */
export const readHooks: FieldRule = (node, context) => {
  const parts = node.kind === 'map' ? pick(node, ['pre', 'post']) : undefined
  if (node.kind !== 'map' || parts === undefined || parts.size === 0) {
    return foreign(context, node, 'a mapping with "pre" and "post"')
  }
  for (const { key, line } of node.entries) {
    if (parts.has(key)) continue
    const message = `The hook ${quote(key)} is not known and never runs.`
    context.report.warning('FIELD_UNKNOWN', { line, message, hint: 'Hooks are "pre" and "post".' })
  }
  const pre = readStrings(parts.get('pre'), context, 'hooks.pre')
  const post = readStrings(parts.get('post'), context, 'hooks.post')
  return pre === undefined || post === undefined ? undefined : { hooks: { pre, post } }
}

export const readPriority: FieldRule = (node, context) => {
  const priority = node.kind === 'scalar' && node.plain ? node.value : undefined
  return Number.isSafeInteger(priority) ? { priority: priority as number } : foreign(context, node, 'an integer')
}

/** A list of words. Words in one string, separated by commas, are as clear. */
export const readTags: FieldRule = (node, context) => {
  const text = readText(node)
  const tags = text === undefined ? scalars(node) : text.split(',')
  if (tags === undefined) return foreign(context, node, 'a list of words')
  return { tags: tags.map((tag) => tag.trim()).filter((tag) => tag !== '') }
}

/**
 * Hides the skill from others than those named. What cannot be read refuses the skill, which might be shown too
 * widely. Other clients use the name for a word of theirs; that hides nothing.
 */
export const readScope: FieldRule = (node, context) => {
  if (node.kind !== 'map') return foreign(context, node, 'a mapping')
  const names = ['agents', 'tenants', 'environments'] as const
  const parts = pick(node, names)
  const unknown = node.entries.find(({ key }) => !parts.has(key))
  if (unknown !== undefined) {
    const message = `The field "scope" holds ${quote(unknown.key)}, which is not known.`
    const hint = `Scope by ${names.join(', ')}.`
    return context.report.error('FIELD_VALUE', { line: unknown.line, message, hint })
  }
  const scope: { -readonly [K in (typeof names)[number]]?: readonly string[] } = {}
  for (const name of names) {
    if (!parts.has(name)) continue
    const values = readStrings(parts.get(name), context, `scope.${name}`)
    if (values === undefined) return undefined
    scope[name] = values
  }
  return { scope }
}

function oneOf<T extends string>(values: readonly T[], node: YamlNode): T | undefined {
  const text = readText(node)
  return values.find((value) => value === text)
}

/** A value that our field does not take. Other clients use some of the same names, so it is kept and not acted on. */
function foreign({ key, line, report }: FieldContext, node: YamlNode, expected: string): undefined {
  const message = `The field "${key}" is ${show(node)}, and ${expected} is expected.`
  return report.warning(node.kind === 'scalar' && readText(node) !== undefined ? 'FIELD_VALUE' : 'FIELD_TYPE', {
    line,
    message,
    hint: 'It is kept under "extra" and has no effect.',
  })
}

function show(node: YamlNode): string {
  return node.kind === 'scalar' ? quote(node.source) : describeType(node)
}

function pick(map: YamlMap, keys: readonly string[]): ReadonlyMap<string, YamlNode> {
  return new Map(map.entries.filter(({ key }) => keys.includes(key)).map(({ key, value }) => [key, value]))
}

/** A string or a list of strings, none blank; absent or without a value is the empty list. */
function readStrings(
  node: YamlNode | undefined,
  { report }: FieldContext,
  where: string,
): readonly string[] | undefined {
  if (node === undefined || (node.kind === 'scalar' && node.value === null)) return []
  const strings: string[] = []
  for (const item of node.kind === 'list' ? node.items : [node]) {
    const text = readText(item)?.trim()
    if (text === undefined || text === '') {
      const message = `The field "${where}" holds ${text === '' ? 'empty text' : describeType(item)} where text belongs.`
      return report.error('FIELD_TYPE', { line: item.line, message, hint: 'Put each entry in quotes.' })
    }
    strings.push(text)
  }
  return strings
}

function scalars(node: YamlNode): readonly string[] | undefined {
  if (node.kind !== 'list') return undefined
  const texts = node.items.map((item) => (item.kind === 'scalar' ? item.source : undefined))
  return texts.includes(undefined) ? undefined : (texts as string[])
}
