import { DEFAULT_MANIFEST, type Manifest, type Profile } from './ports/manifest.ts'
import type { Report } from './diagnostics.ts'
import type { Field, FieldContext, FileContext } from './fields/field.ts'
import { FIELDS, findForeignRules, findMeant, findMisplaced, SUB_AGENT_FIELDS } from './fields/fields.ts'
import { patternProblem, readSchema, type Schema } from './parameter-schema.ts'
import { findHidden, excerpt, type HiddenCharacters } from './text/hidden.ts'
import type { YamlEntry, YamlMap, YamlNode } from './yaml/tree.ts'

/** A manifest while it is read. */
type Draft = { -readonly [K in keyof Manifest]: Manifest[K] }

/**
 * Reads every field by its rule in `FIELDS`. Returns a deeply frozen manifest; undefined if an error was reported.
 * @param context one object that is changed for each field; at first its line is that of the opening fence, on which a
 * missing field is reported
 * @param mayHide whether the frontmatter may hold invisible characters
 */
export function readManifest(root: YamlMap, context: FileContext, mayHide: boolean): Manifest | undefined {
  const { entries } = root
  const { line: fence, profile, report } = context
  const manifest = { ...DEFAULT_MANIFEST }
  let extra: Record<string, unknown> | undefined
  let agent: string | undefined
  let required = 0
  // By index: right after the start of a program, an iterator takes several times as long.
  for (let index = 0; index < entries.length; index++) {
    const entry = entries[index]!
    const { key, line, value } = entry
    const field = FIELDS.get(key)
    if (mayHide) checkHidden(entry, field, report)
    if (field === undefined || (profile === 'strict' && field.origin !== 'standard')) {
      reportUnknown(entry, root, profile, report)
      // Safe: the readers refuse keys that reach a prototype.
      ;(extra ??= {})[key] = frozenValue(value)
      continue
    }
    if (key === 'metadata') reportMisplaced(entry, report)
    context.key = key
    context.line = line
    const isEmpty = value.kind === 'scalar' && value.value === null && field.empty !== undefined
    const part = isEmpty ? reportEmpty(field, context) : field.rule(value, context)
    if (key === 'name') {
      required++
      if (part?.name !== undefined) manifest.name = part.name
    } else if (key === 'description') {
      required++
      if (part?.description !== undefined) manifest.description = part.description
    } else if (part === undefined) (extra ??= {})[key] = frozenValue(value)
    else if (key === 'agent') ({ agent } = part)
    else assignFrozen(manifest, part)
  }
  if (required < 2) reportMissing(root, fence, report)
  if (agent !== undefined) agent = checkAgent(agent, manifest, root, report)
  if (manifest.type !== 'instruction' && manifest.parameters !== undefined) {
    checkParameters(manifest.parameters, root, context)
  }
  if (report.failed || manifest.name === '' || manifest.description === '') return undefined
  if (agent !== undefined) manifest.agent = agent
  if (extra !== undefined) manifest.extra = Object.freeze(extra)
  return Object.freeze(manifest)
}

/** Returns the agent if the skill forks; otherwise reports that the field has no effect. */
function checkAgent(agent: string, manifest: Draft, root: YamlMap, report: Report): string | undefined {
  if (manifest.context === 'fork') return agent
  const { line } = root.entries.find(({ key }) => key === 'agent')!
  const message = `The field "agent" is ${excerpt(agent)}, and the skill does not fork.`
  return report.warning('FIELD_WITHOUT_EFFECT', { line, message, hint: 'Add "context: fork", or remove it.' })
}

/** Reports parameters that no value is compared with: a skill whose calls take them is refused at every call. */
function checkParameters(parameters: Schema, root: YamlMap, context: FileContext): void {
  const problem = parametersProblem(parameters, context)
  if (problem === undefined) return
  const line = root.entries.find(({ key }) => key === 'parameters')?.line ?? context.line
  const message = `The parameters ${problem}.`
  context.report.warning('PARAMETERS_UNUSABLE', { line, message, hint: UNUSABLE_HINT })
}

const UNUSABLE_HINT =
  'Correct them: as they are, every call of the skill is refused. Types, "enum", limits, "pattern", "items" and "properties" are compared.'

function parametersProblem(parameters: Schema, context: FileContext): string | undefined {
  const read = readSchema(parameters)
  if ('unusable' in read) return read.unusable
  if (read.patterns.length === 0) return undefined
  if (context.patterns === undefined) {
    context.needsPatterns = true
    return undefined
  }
  return patternProblem(read.patterns, context.patterns)
}

/**
 * Adds what a rule returned to a manifest. All snapshots in which a skill is unchanged share its manifest, so it is
 * frozen.
 */
function assignFrozen(manifest: Draft, part: Partial<Manifest>): void {
  // Right after the start of a program, `Object.assign` takes longer.
  for (const key in part) (manifest as Record<string, unknown>)[key] = frozen(part[key as keyof Manifest])
}

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

/** Returns the frozen plain value of an unknown or refused field, in one pass. */
function frozenValue(node: YamlNode): unknown {
  if (node.kind === 'scalar') return node.value
  if (node.kind === 'list') {
    return node.items.length === 0 ? NONE : Object.freeze(node.items.map((item) => frozenValue(item)))
  }
  const values: Record<string, unknown> = {}
  for (const { key, value } of node.entries) values[key] = frozenValue(value)
  return Object.freeze(values)
}

function reportEmpty({ empty }: Field, { key, line, report }: FieldContext): Field['empty'] {
  const message = `The field "${key}" has no value.`
  const hint = key === 'allowed-tools' ? 'It allows no tool. Remove it to restrict nothing.' : 'Remove it.'
  report.deviation('FIELD_EMPTY', { line, message, hint })
  return empty
}

function reportUnknown({ key, line, value }: YamlEntry, root: YamlMap, profile: Profile, report: Report): void {
  const meant = findMeant(key)
  const known = meant ?? findForeignRules(key, value, root)
  if (known !== undefined) {
    const finding = { line, message: `The field ${excerpt(key)} is not known.`, hint: `Write "${known}".` }
    // Ignored, a restriction would restrict nothing. `lenient` takes `tools` for a sub-agent's, which approves nothing
    // here.
    const isRefused = FIELDS.get(known)?.restricts === true && !(profile === 'lenient' && SUB_AGENT_FIELDS.has(key))
    if (isRefused) report.error('FIELD_MISSPELLED', finding)
    else report.deviation('FIELD_MISSPELLED', finding)
  } else if (profile === 'strict') {
    const hint = 'Move it under "metadata", or read the skill in another profile.'
    report.error('FIELD_UNKNOWN', { line, message: `The field ${excerpt(key)} is not of the standard.`, hint })
  } else {
    reportMisplaced({ key, line, value }, report)
    report.info('FIELD_UNKNOWN', { line, message: `The field ${excerpt(key)} is not known. It is kept and ignored.` })
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
    message: `The field ${excerpt(found.key)} stands under ${excerpt(key)}, where it restricts nothing.`,
    hint: `Write "${known}" at the top of the frontmatter, without blanks before it.`,
  }
  if (key === 'metadata') report.error('FIELD_MISSPELLED', finding)
  else report.warning('FIELD_MISSPELLED', finding)
}

/** Programs act on every key, so hidden characters in one are an error; in a value they are if `machineRead` says so. */
function checkHidden({ key, line, value }: YamlEntry, field: Field | undefined, report: Report): void {
  const hint = 'Look at them before you trust the skill, and remove them.'
  const inKey = findHidden(key)
  if (inKey !== undefined) {
    const message = `The field ${excerpt(key)} holds characters that are not shown.`
    report.error('HIDDEN_CHARACTERS', { line, message, hint })
  }
  if (field?.looksForHidden === true) return
  const found = findHiddenIn(value)
  if (found === undefined) return
  const message = `The field ${excerpt(key)} holds characters that are not shown: ${found.hidden.codePoints.join(', ')}.`
  if (field?.machineRead === true) report.error('HIDDEN_CHARACTERS', { line: found.line, message, hint })
  else report.warning('HIDDEN_CHARACTERS', { line: found.line, message, hint })
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
    const hint = similar === undefined ? `Add a line "${example}".` : `Write ${excerpt(similar.key)} as "${key}".`
    report.error(code, { line: similar?.line ?? line, message: `The skill has no ${key}.`, hint })
  }
}
