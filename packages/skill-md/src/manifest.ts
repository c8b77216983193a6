import { DEFAULT_MANIFEST, type Manifest, type Profile } from './ports/manifest.ts'
import type { Report } from './diagnostics.ts'
import type { Field, FieldContext } from './fields/field.ts'
import { FIELDS, findForeignRules, findMeant, findMisplaced, SUB_AGENT_FIELDS } from './fields/fields.ts'
import { patternProblem, readSchema, type Schema } from './parameter-schema.ts'
import { quote } from './text/escape.ts'
import { findHidden, type HiddenCharacters } from './text/hidden.ts'
import { toValue, type YamlEntry, type YamlMap, type YamlNode } from './yaml/tree.ts'

/**
 * Reads every field by its rule in `FIELDS`. Returns a deeply frozen manifest; undefined if an error was reported.
 * @param context one object that is changed for each field; at first its line is that of the opening fence, on which a
 * missing field is reported
 * @param mayHide whether the frontmatter may hold invisible characters
 */
export function readManifest(root: YamlMap, context: FieldContext, mayHide: boolean): Manifest | undefined {
  const { entries } = root
  const { line: fence, profile, report } = context
  const manifest: { -readonly [K in keyof Manifest]: Manifest[K] } = { ...DEFAULT_MANIFEST }
  let extra: Record<string, unknown> | undefined
  // By index: right after the start of a program, an iterator takes several times as long.
  for (let index = 0; index < entries.length; index++) {
    const entry = entries[index]!
    const { key, line, value } = entry
    const field = FIELDS.get(key)
    if (field === undefined || (profile === 'strict' && !field.isStandard)) {
      reportUnknown(entry, root, profile, report)
      // Safe: the readers refuse keys that reach a prototype.
      ;(extra ??= {})[key] = frozen(toValue(value))
      if (mayHide) checkHidden(entry, field, report)
      continue
    }
    if (key === 'metadata') reportMisplaced(entry, report)
    context.key = key
    context.line = line
    const isEmpty = value.kind === 'scalar' && value.value === null && field.empty !== 'judged'
    const read = isEmpty ? reportEmpty(field, context) : field.rule(value, context)
    if (read === undefined) (extra ??= {})[key] = frozen(toValue(value))
    else if (read !== null) (manifest as Record<string, unknown>)[field.property] = frozen(read)
    // A rule has already refused what it cannot read.
    if (mayHide && !report.failed) checkHidden(entry, field, report)
  }
  if (manifest.name === '' || manifest.description === '') reportMissing(root, fence, report)
  if (manifest.agent !== undefined && manifest.context !== 'fork') {
    const message = `The field "agent" is ${quote(manifest.agent)}, and the skill does not fork.`
    const hint = 'Add "context: fork", or remove it.'
    report.warning('FIELD_WITHOUT_EFFECT', { line: lineOf(root, 'agent'), message, hint })
    delete manifest.agent
  }
  if (manifest.type !== 'instruction' && manifest.parameters !== undefined) {
    checkParameters(manifest.parameters, lineOf(root, 'parameters'), context)
  }
  if (report.failed) return undefined
  if (extra !== undefined) manifest.extra = Object.freeze(extra)
  return Object.freeze(manifest)
}

function lineOf({ entries }: YamlMap, key: string): number | undefined {
  return entries.find((entry) => entry.key === key)?.line
}

/** Reports parameters that no value is compared with: a skill whose calls take them is refused at every call. */
function checkParameters(parameters: Schema, line: number | undefined, context: FieldContext): void {
  const read = readSchema(parameters)
  let problem = 'unusable' in read ? read.unusable : undefined
  if ('patterns' in read && read.patterns.length > 0) {
    if (context.patterns === undefined) context.needsPatterns = true
    else problem = patternProblem(read.patterns, context.patterns)
  }
  if (problem === undefined) return
  const message = `The parameters ${problem}.`
  context.report.warning('PARAMETERS_UNUSABLE', { line, message, hint: UNUSABLE_HINT })
}

const UNUSABLE_HINT =
  'Correct them: as they are, every call of the skill is refused. Types, "enum", limits, "pattern", "items" and "properties" are compared.'

const NONE: readonly never[] = Object.freeze([])

function frozen(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (!Array.isArray(value)) {
    const values = value as Record<string, unknown>
    for (const key in values) values[key] = frozen(values[key])
    return Object.freeze(values)
  }
  // A mapped copy: an array that has grown has spare capacity for sixteen more.
  return value.length === 0 ? NONE : Object.freeze(value.map((item) => frozen(item)))
}

function reportEmpty({ empty }: Field, { key, line, report }: FieldContext): readonly [] | null {
  const message = `The field "${key}" has no value.`
  const hint = key === 'allowed-tools' ? 'It allows no tool. Remove it to restrict nothing.' : 'Remove it.'
  report.deviation('FIELD_EMPTY', { line, message, hint })
  return empty === undefined || empty === 'judged' ? null : empty
}

function reportUnknown({ key, line, value }: YamlEntry, root: YamlMap, profile: Profile, report: Report): void {
  const meant = findMeant(key)
  const known = meant ?? findForeignRules(key, value, root)
  if (known !== undefined) {
    const finding = { line, message: `The field ${quote(key)} is not known.`, hint: `Write "${known}".` }
    // Ignored, a restriction would restrict nothing. `lenient` takes `tools` for a sub-agent's, which approves nothing
    // here.
    const isRefused = FIELDS.get(known)?.restricts === true && !(profile === 'lenient' && SUB_AGENT_FIELDS.has(key))
    if (isRefused) report.error('FIELD_MISSPELLED', finding)
    else report.deviation('FIELD_MISSPELLED', finding)
  } else if (profile === 'strict') {
    // Under "metadata" it would be refused in every profile.
    const elsewhere = FIELDS.get(key)?.restricts === true ? 'Remove it' : 'Move it under "metadata"'
    const hint = `${elsewhere}, or read the skill in another profile.`
    report.error('FIELD_UNKNOWN', { line, message: `The field ${quote(key)} is not of the standard.`, hint })
  } else {
    reportMisplaced({ key, line, value }, report)
    report.info('FIELD_UNKNOWN', { line, message: `The field ${quote(key)} is not known. It is kept and ignored.` })
  }
}

/**
 * Reports a restricting field that stands where it restricts nothing. Under `metadata` only a mistake puts it there;
 * under a field of another client it may be that client's.
 */
function reportMisplaced({ key, value }: YamlEntry, report: Report): void {
  const found = findMisplaced(value)
  if (found === undefined) return
  const { line, known } = found
  const finding = {
    line,
    message: `The field ${quote(found.key)} stands under ${quote(key)}, where it restricts nothing.`,
    hint: `Write "${known}" at the top of the frontmatter, without blanks before it.`,
  }
  if (key === 'metadata') report.error('FIELD_MISSPELLED', finding)
  else report.warning('FIELD_MISSPELLED', finding)
}

/** Programs act on every key and on most values, so hidden characters in one are an error; in prose, a warning. */
function checkHidden({ key, line, value }: YamlEntry, field: Field | undefined, report: Report): void {
  const hint = 'Look at them before you trust the skill, and remove them.'
  const inKey = findHidden(key) !== undefined
  const found = inKey ? { line, hidden: findHidden(key)! } : findHiddenIn(value)
  if (found === undefined) return
  const message = `The field ${quote(key)} holds characters that are not shown: ${found.hidden.codePoints.join(', ')}.`
  const isError = inKey || (field !== undefined && field.isProse !== true)
  report[isError ? 'error' : 'warning']('HIDDEN_CHARACTERS', { line: found.line, message, hint })
}

/** Returns the hidden characters in the first key or scalar that holds any, with its line. */
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
    const similar = root.entries.find((entry) => findMeant(entry.key) === key)
    const hint = similar === undefined ? `Add a line "${example}".` : `Write ${quote(similar.key)} as "${key}".`
    report.error(code, { line: similar?.line ?? line, message: `The skill has no ${key}.`, hint })
  }
}
