import type { Manifest } from '../types.ts'
import type { Report } from './diagnostics.ts'
import type { Field, FieldContext } from './field.ts'
import { FIELDS, findMisspelled } from './fields.ts'
import { findHidden, quote } from './hidden.ts'
import type { HiddenCharacters } from './hidden.ts'
import { toValue } from './tree.ts'
import type { YamlEntry, YamlMap, YamlNode } from './tree.ts'

/** Shared by all manifests, for most leave most fields out. */
const DEFAULTS = Object.freeze({
  metadata: Object.freeze({}),
  type: 'instruction',
  status: 'active',
  context: 'inherit',
  hooks: Object.freeze({ pre: Object.freeze([]), post: Object.freeze([]) }),
  priority: 0,
  tags: Object.freeze([]),
  scope: Object.freeze({}),
  toolsets: Object.freeze([]),
  triggers: Object.freeze({ keywords: Object.freeze([]), verbs: Object.freeze([]), patterns: Object.freeze([]) }),
  disableModelInvocation: false,
  userInvocable: true,
  extra: Object.freeze({}),
} as const) satisfies Partial<Manifest>

/** What the rules of all fields of one file depend on. */
export type ReadContext = Pick<FieldContext, 'folderName' | 'profile' | 'patterns' | 'needPatterns'>

/**
 * Reads every field by the rule that `FIELDS` has for it.
 * @param line the file's line that a missing field is reported on: the opening fence
 */
export function readManifest(root: YamlMap, line: number, context: ReadContext, report: Report): Manifest | undefined {
  const known: Partial<Manifest> = {}
  const extra: [string, unknown][] = []
  for (const entry of root.entries) {
    const part = readField(entry, context, report)
    if (part === undefined) extra.push([entry.key, toValue(entry.value)])
    else Object.assign(known, part)
  }
  reportMissing(root, line, report)
  const { name, description, agent, ...rest } = known
  if (agent !== undefined && rest.context !== 'fork') {
    const at = root.entries.find(({ key }) => key === 'agent')?.line ?? line
    const message = `The field "agent" is ${quote(agent)}, and the skill does not fork.`
    report.warning('FIELD_WITHOUT_EFFECT', { line: at, message, hint: 'Add "context: fork", or remove it.' })
  }
  if (report.failed || name === undefined || description === undefined) return undefined
  return {
    name,
    description,
    ...DEFAULTS,
    ...rest,
    ...(agent !== undefined && rest.context === 'fork' ? { agent } : {}),
    ...(extra.length > 0 ? { extra: Object.fromEntries(extra) } : {}),
  }
}

/** The manifest's part that a field gives, or nothing where it belongs under `extra`. */
function readField(
  { key, line, value }: YamlEntry,
  { folderName, profile, patterns, needPatterns }: ReadContext,
  report: Report,
): Partial<Manifest> | undefined {
  const field = FIELDS.get(key)
  checkHidden({ key, line, value }, field, report)
  if (field === undefined || (profile === 'strict' && field.origin !== 'standard')) {
    return reportUnknown(key, line, profile, report)
  }
  if (field.empty !== undefined && value.kind === 'scalar' && value.value === null) {
    const message = `The field "${key}" has no value.`
    const hint = key === 'allowed-tools' ? 'It allows no tool. Remove it to restrict nothing.' : 'Remove it.'
    report.deviation('FIELD_EMPTY', { line, message, hint })
    return field.empty
  }
  return field.rule(value, { key, line, folderName, profile, report, patterns, needPatterns })
}

function reportUnknown(key: string, line: number, profile: FieldContext['profile'], report: Report): undefined {
  const meant = findMisspelled(key)
  if (meant !== undefined) {
    const finding = { line, message: `The field ${quote(key)} is not known.`, hint: `Write "${meant}".` }
    // Read as unknown it would restrict nothing, which is the opposite of what it says.
    if (FIELDS.get(meant)?.restricts === true) report.error('FIELD_MISSPELLED', finding)
    else report.deviation('FIELD_MISSPELLED', finding)
  } else if (profile === 'strict') {
    const hint = 'Move it under "metadata", or read the skill in another profile.'
    report.error('FIELD_UNKNOWN', { line, message: `The field ${quote(key)} is not of the standard.`, hint })
  } else {
    report.info('FIELD_UNKNOWN', { line, message: `The field ${quote(key)} is not known. It is kept and ignored.` })
  }
}

/** A key is always read by a program; a value where its field says so. */
function checkHidden({ key, line, value }: YamlEntry, field: Field | undefined, report: Report): void {
  const hint = 'Look at them before you trust the skill, and remove them.'
  const inKey = findHidden(key)
  if (inKey !== undefined) {
    const message = `The field ${quote(key)} holds characters that are not shown.`
    report.error('HIDDEN_CHARACTERS', { line, message, hint })
  }
  if (field?.looksForHidden === true) return
  const found = findHiddenIn(value)
  if (found === undefined) return
  const message = `The field ${quote(key)} holds characters that are not shown: ${found.hidden.codePoints.join(', ')}.`
  if (field?.machineRead === true) report.error('HIDDEN_CHARACTERS', { line: found.line, message, hint })
  else report.warning('HIDDEN_CHARACTERS', { line: found.line, message, hint })
}

/** The first key or scalar's text that holds some, with its line. */
function findHiddenIn(node: YamlNode): { readonly hidden: HiddenCharacters; readonly line: number } | undefined {
  if (node.kind === 'scalar') return findHiddenAt(node.source, node.line)
  if (node.kind === 'list') {
    for (const item of node.items) {
      const found = findHiddenIn(item)
      if (found !== undefined) return found
    }
    return undefined
  }
  for (const { key, line, value } of node.entries) {
    const found = findHiddenAt(key, line) ?? findHiddenIn(value)
    if (found !== undefined) return found
  }
  return undefined
}

function findHiddenAt(text: string, line: number): ReturnType<typeof findHiddenIn> {
  const hidden = findHidden(text)
  return hidden && { hidden, line }
}

function reportMissing(root: YamlMap, line: number, report: Report): void {
  for (const [key, code, example] of [
    ['name', 'NAME_MISSING', 'name: my-skill'],
    ['description', 'DESCRIPTION_MISSING', 'description: What it does and when to use it.'],
  ] as const) {
    if (root.entries.some((entry) => entry.key === key)) continue
    const similar = root.entries.find((entry) => findMisspelled(entry.key) === key)
    const hint = similar === undefined ? `Add a line "${example}".` : `Write ${quote(similar.key)} as "${key}".`
    report.error(code, { line: similar?.line ?? line, message: `The skill has no ${key}.`, hint })
  }
}
