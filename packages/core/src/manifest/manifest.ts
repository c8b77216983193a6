import type { Manifest } from '../types.ts'
import { detach } from './detach.ts'
import type { Report } from './diagnostics.ts'
import type { Field, FieldContext } from './fields/field.ts'
import { FIELDS, findMisspelled } from './fields/fields.ts'
import { findHidden, quote } from './hidden.ts'
import type { HiddenCharacters } from './hidden.ts'
import { toValue } from './yaml/tree.ts'
import type { YamlEntry, YamlMap, YamlNode } from './yaml/tree.ts'

/** What a manifest begins as: every default. Its parts are shared, for most skills leave most fields out. */
export const BLANK: Readonly<Draft> = {
  name: '',
  description: '',
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
}

type Draft = { -readonly [K in keyof Manifest]: Manifest[K] }

/** What the rules of all fields of one file depend on. */
export interface ReadContext extends Pick<FieldContext, 'folderName' | 'profile' | 'patterns' | 'needPatterns'> {
  /** Whether the frontmatter may hold characters that are not shown. */
  readonly mayHide: boolean
}

/**
 * Reads every field by the rule that `FIELDS` has for it. The manifest is frozen, with all that it holds.
 * @param line the file's line that a missing field is reported on: the opening fence
 */
export function readManifest(root: YamlMap, line: number, context: ReadContext, report: Report): Manifest | undefined {
  const { folderName, profile, patterns, needPatterns, mayHide } = context
  const manifest = { ...BLANK }
  // One for all fields: thousands of skills are read before anything else can happen.
  const field = { key: '', line, folderName, profile, report, patterns, needPatterns }
  let extra: Record<string, unknown> | undefined
  let agent: string | undefined
  let required = 0
  for (const entry of root.entries) {
    const { key } = entry
    field.key = key
    field.line = entry.line
    const part = readField(entry, field, mayHide)
    if (key === 'name' || key === 'description') {
      required++
      manifest.name = part?.name ?? manifest.name
      manifest.description = part?.description ?? manifest.description
      continue
    }
    // The readers refuse the keys that reach a prototype.
    if (part === undefined) (extra ??= {})[key] = toValue(entry.value)
    else if (part.agent !== undefined) agent = part.agent
    else Object.assign(manifest, freezeParts(part))
  }
  if (required < 2) reportMissing(root, line, report)
  if (agent !== undefined && manifest.context !== 'fork') {
    const at = root.entries.find(({ key }) => key === 'agent')?.line ?? line
    const message = `The field "agent" is ${quote(agent)}, and the skill does not fork.`
    report.warning('FIELD_WITHOUT_EFFECT', { line: at, message, hint: 'Add "context: fork", or remove it.' })
  }
  if (report.failed || manifest.name === '' || manifest.description === '') return undefined
  if (agent !== undefined && manifest.context === 'fork') manifest.agent = agent
  if (extra !== undefined) manifest.extra = Object.freeze(freezeParts(extra))
  manifest.name = manifest.name === folderName ? folderName : detach(manifest.name)
  manifest.description = detach(manifest.description)
  return Object.freeze(manifest)
}

/**
 * A manifest is shared by all snapshots in which its skill is the same, so that nobody may change it. It stays long
 * after its file is let go of, so that no text in it is a part of the file's.
 */
function freezeParts<T extends object>(whole: T): T {
  for (const key in whole) {
    const part: unknown = whole[key]
    if (typeof part === 'string') (whole as Record<string, unknown>)[key] = detach(part)
    else if (typeof part === 'object' && part !== null && !Object.isFrozen(part)) {
      // An array that has grown has room for sixteen more; a copy has none.
      const own: object = Array.isArray(part) ? part.slice() : part
      ;(whole as Record<string, unknown>)[key] = Object.freeze(freezeParts(own))
    }
  }
  return whole
}

/** The manifest's part that a field gives, or nothing where it belongs under `extra`. */
function readField(entry: YamlEntry, context: FieldContext, mayHide: boolean): Partial<Manifest> | undefined {
  const { key, line, value } = entry
  const { profile, report } = context
  const field = FIELDS.get(key)
  if (mayHide) checkHidden(entry, field, report)
  if (field === undefined || (profile === 'strict' && field.origin !== 'standard')) {
    return reportUnknown(key, line, profile, report)
  }
  if (value.kind === 'scalar' && value.value === null && field.empty !== undefined) {
    const message = `The field "${key}" has no value.`
    const hint = key === 'allowed-tools' ? 'It allows no tool. Remove it to restrict nothing.' : 'Remove it.'
    report.deviation('FIELD_EMPTY', { line, message, hint })
    return field.empty
  }
  return field.rule(value, context)
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
    report.info('FIELD_UNKNOWN', { line, words: ignored, subject: key })
  }
}

function ignored(key: string): { readonly message: string } {
  return { message: `The field ${quote(key)} is not known. It is kept and ignored.` }
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
