import { isSkillError, showName, SkillError } from '@repertoire/core'
import { adviseSkill, parseSkill, renderSkill } from '@repertoire/core/authoring'
import type { Manifest, SkillContent, SkillDefinition, ToolRule } from '@repertoire/core'
import { folderOfFiles } from '../store/files-folder.ts'

/** The types that a skill can have, and what a definition of each has. */
const DEFINED: Readonly<Record<string, readonly string[]>> = {
  instruction: ['content'],
  composite: ['steps'],
  script: ['script', 'language'],
  template: ['template'],
} satisfies Record<SkillDefinition['type'], readonly string[]>

/** A skill that is to be created: the fields of its manifest, and what it defines. */
export interface NewSkill extends Partial<
  Omit<Manifest, 'name' | 'description' | 'type' | 'status' | 'allowedTools' | 'disallowedTools' | 'parameters'>
> {
  readonly name: string
  readonly description: string
  /** `instruction`, `composite`, `script` or `template`. */
  readonly type: string
  /** Rules, each as a text (`Bash(git:*)`) or as its parts. */
  readonly allowedTools?: readonly (string | ToolRule)[]
  /** Rules, each as a text or as its parts. */
  readonly disallowedTools?: readonly (string | ToolRule)[]
  /** The JSON Schema of an object, or its short form: `{ file: 'string' }`. */
  readonly parameters?: Readonly<Record<string, unknown>>
  /**
   * By the type: `{ content }` (absent: no text), `{ steps }` (each with `tool` and `parameters`), `{ script, language }`,
   * `{ template }`.
   */
  readonly definition?: Readonly<Record<string, unknown>>
}

/**
 * Checks a new skill, and returns it as a store saves it: active.
 * @throws {SkillError} MANIFEST_INVALID: an unknown type (the message names all), a definition that does not fit the type or
 * could never be executed, a field that cannot be written
 */
export async function contentOf({
  name,
  description,
  type,
  definition: given = {},
  allowedTools,
  disallowedTools,
  parameters,
  ...fields
}: NewSkill): Promise<SkillContent> {
  const definition = definitionOf(name, type, given)
  const written = await readWritten(name, { allowedTools, disallowedTools, parameters })
  const manifest = { ...fields, ...written, name, description, type: definition.type, status: 'active' as const }
  const content = { manifest, definition }
  await refuseUnusable(name, await renderSkill(content))
  return content
}

/** The fields that may be given in another form than a manifest has them. */
interface WrittenFields {
  readonly allowedTools: NewSkill['allowedTools'] | undefined
  readonly disallowedTools: NewSkill['disallowedTools'] | undefined
  readonly parameters: NewSkill['parameters'] | undefined
}

/** Reads fields in every form that a SKILL.md may have them in, with the parser of SKILL.md. */
async function readWritten(
  name: string,
  { allowedTools, disallowedTools, parameters }: WrittenFields,
): Promise<Partial<Manifest>> {
  const lines = [
    ...lineOf(name, 'allowed-tools', allowedTools, (rules) => rulesOf(name, rules).join(' ')),
    ...lineOf(name, 'disallowed-tools', disallowedTools, (rules) => rulesOf(name, rules).join(' ')),
    ...lineOf(name, 'parameters', parameters, (schema) => schema),
  ]
  if (lines.length === 0) return {}
  // JSON is YAML.
  const { manifest, diagnostics } = await parseSkill(`---\nname: a\ndescription: a\n${lines.join('')}---\n`)
  const [problem] = diagnostics
  if (problem !== undefined || manifest === undefined) {
    throw invalid(name, `${problem?.message ?? 'it cannot be read'} ${problem?.hint ?? ''}`.trim().replace(/\.$/, ''))
  }
  const { allowedTools: allowed, disallowedTools: disallowed, parameters: schema } = manifest
  return {
    allowedTools: allowed,
    disallowedTools: disallowed,
    parameters: schema,
  }
}

function lineOf<Value>(
  name: string,
  key: string,
  value: Value | undefined,
  plain: (value: Value) => unknown,
): readonly string[] {
  if (value === undefined) return []
  try {
    return [`${key}: ${JSON.stringify(plain(value))}\n`]
  } catch (cause) {
    if (isSkillError(cause)) throw cause
    throw invalid(name, `its \`${key}\` hold what cannot be written. Pass plain data`)
  }
}

function rulesOf(name: string, rules: readonly (string | ToolRule)[]): readonly string[] {
  if (!Array.isArray(rules)) throw invalid(name, 'its rules for tools are not a list, such as ["Read", "Bash(git:*)"]')
  return rules.map((rule: unknown) => {
    if (typeof rule === 'string') return rule
    const { tool, pattern } = (rule ?? {}) as Partial<ToolRule>
    if (typeof tool === 'string') return pattern === undefined ? tool : `${tool}(${pattern})`
    throw invalid(name, 'one of its rules for tools is neither a text nor an object with `tool`')
  })
}

function definitionOf(name: string, type: string, given: Readonly<Record<string, unknown>>): SkillDefinition {
  if (typeof given !== 'object' || given === null) throw invalid(name, 'its definition is not an object')
  const { steps, script, template, content = '', language } = given
  const refuse = (needs: string): SkillError => invalid(name, `${type} needs ${needs}`)
  const known = Object.hasOwn(DEFINED, type) ? DEFINED[type]! : Object.keys(given)
  const unknown = Object.keys(given).find((key) => key !== 'type' && !known.includes(key))
  if (unknown !== undefined) {
    throw invalid(name, `unknown \`definition.${showName(unknown)}\`: ${type} has \`${known.join('`, `')}\``)
  }
  if (type === 'instruction') {
    if (typeof content !== 'string') throw refuse('`content`, a text')
    return { type, content }
  }
  if (type === 'composite') {
    if (!Array.isArray(steps)) throw refuse('`steps`, a list of { tool, parameters }')
    return { type, steps: steps.map((step, index) => stepOf(name, step, index + 1)) }
  }
  if (type === 'script') {
    if (typeof script !== 'string') throw refuse('`script`, a text')
    if (language !== undefined && typeof language !== 'string') throw refuse('`language` as a text, or none')
    return { type, script, language }
  }
  if (type === 'template') {
    if (typeof template !== 'string') throw refuse('`template`, a text')
    return { type, template }
  }
  throw invalid(name, `there is no type "${showName(type)}". The types are ${Object.keys(DEFINED).join(', ')}`)
}

function stepOf(name: string, step: unknown, number: number): { tool: string; parameters: Record<string, unknown> } {
  const { tool, parameters = {} } = (step ?? {}) as { tool?: unknown; parameters?: unknown }
  const isMapping = typeof parameters === 'object' && parameters !== null && !Array.isArray(parameters)
  if (typeof tool !== 'string' || !isMapping) {
    throw invalid(name, `step ${number} needs \`tool\`, the name of a tool, and \`parameters\`, an object`)
  }
  // Names and descriptions of steps stay; what is unknown is refused when it is written.
  return { ...(step as object), tool, parameters: parameters as Record<string, unknown> }
}

/** What could be saved and never executed, such as a template that does not end, is refused as well. */
async function refuseUnusable(name: string, text: string): Promise<void> {
  const folder = folderOfFiles(name, new Map([['SKILL.md', { bytes: new TextEncoder().encode(text) }]]))
  const found = await adviseSkill(await parseSkill(text), folder)
  const problem = found.find(({ severity }) => severity === 'error')
  if (problem !== undefined) throw invalid(name, problem.message.replace(/\.$/, ''))
}

function invalid(name: string, reason: string): SkillError {
  return new SkillError('MANIFEST_INVALID', `The skill "${showName(name)}" is not created: ${reason}.`)
}
