import { showName, SkillError } from '@repertoire/core'
import { adviseSkill, parseSkill, renderSkill } from '@repertoire/core/authoring'
import type { Manifest, SkillContent, SkillDefinition } from '@repertoire/core'
import { folderOfFiles } from '../store/files-folder.ts'

/** A skill that is to be created: the fields of its manifest, and what it defines. */
export interface NewSkill extends Partial<
  Omit<Manifest, 'name' | 'description' | 'type' | 'status' | 'allowedTools' | 'disallowedTools' | 'parameters'>
> {
  readonly name: string
  readonly description: string
  /** `instruction`, `composite`, `script` or `template`. */
  readonly type: string
  /** Rules as a SKILL.md has them: `['Read', 'Bash(git:*)']`. */
  readonly allowedTools?: readonly string[] | undefined
  readonly disallowedTools?: readonly string[] | undefined
  /** The JSON Schema of an object, or its short form: `{ file: 'string' }`. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined
  /**
   * By the type: `{ content }` (absent: no text), `{ steps }` (each with `tool` and `parameters`), `{ script, language
   * }`, `{ template }`.
   */
  readonly definition?: Readonly<Record<string, unknown>>
}

/**
 * Checks a new skill, and returns it as a store saves it: active.
 * @throws {SkillError} MANIFEST_INVALID: an unknown type (the message names all), a definition that does not fit the
 * type or could never be executed, a field that cannot be written
 */
export async function contentOf(skill: NewSkill): Promise<SkillContent> {
  refuseUnnamed(skill)
  const {
    name,
    description,
    type,
    definition: given = {},
    allowedTools,
    disallowedTools,
    parameters,
    ...fields
  } = skill
  const definition = definitionOf(type, given)
  const written = await readWritten(name, {
    'allowed-tools': joined(allowedTools),
    'disallowed-tools': joined(disallowedTools),
    parameters,
  })
  const manifest = { ...fields, ...written, name, description, type: definition.type, status: 'active' as const }
  const content = { manifest, definition }
  await refuseUnusable(name, await renderSkill(content))
  return content
}

/** Reads fields in every form that a SKILL.md may have them in, with the parser of SKILL.md. */
async function readWritten(name: string, fields: Readonly<Record<string, unknown>>): Promise<Partial<Manifest>> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  if (given.length === 0) return {}
  // JSON is YAML.
  const lines = given.map(([key, value]) => `${key}: ${jsonOf(name, key, value)}\n`)
  const { manifest, diagnostics } = await parseSkill(`---\nname: a\ndescription: a\n${lines.join('')}---\n`)
  const [problem] = diagnostics
  if (problem !== undefined || manifest === undefined) {
    throw invalid(name, `${problem?.message ?? 'it cannot be read'} ${problem?.hint ?? ''}`.trim().replace(/\.$/, ''))
  }
  const { allowedTools, disallowedTools, parameters } = manifest
  return { allowedTools, disallowedTools, parameters }
}

/** Rules as the standard has them, in one text. */
function joined(rules: unknown): unknown {
  return Array.isArray(rules) ? rules.join(' ') : rules
}

function jsonOf(name: string, key: string, value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    throw invalid(name, `its \`${key}\` hold what cannot be written. Pass plain data`)
  }
}

const TYPES = ['instruction', 'composite', 'script', 'template']

/** @throws {SkillError} MANIFEST_INVALID: it could be no skill of any type */
function refuseUnnamed(given: unknown): void {
  if (!isObject(given)) {
    throw invalid(undefined, 'it is not an object. Pass { name, description, type, definition }')
  }
  const { name, description, type, definition, status } = given
  if (typeof name !== 'string' || name === '') throw invalid(undefined, 'its `name` is missing, or not a text')
  if (typeof description !== 'string') throw invalid(name, 'its `description` is missing, or not a text')
  if (!TYPES.includes(String(type))) throw invalid(name, `its \`type\` is not one of ${TYPES.join(', ')}`)
  if (definition !== undefined && !isObject(definition)) throw invalid(name, 'its `definition` is not an object')
  if (status !== undefined) throw invalid(name, 'its status is "active". Save a draft in the store itself')
}

/** Adds what may be left out of a definition. What is wrong with it is said when it is rendered. */
function definitionOf(type: string, given: Readonly<Record<string, unknown>>): SkillDefinition {
  const { steps } = given
  const whole = {
    ...(type === 'instruction' && { content: '' }),
    ...given,
    type,
    steps: Array.isArray(steps) ? steps.map((step) => (isObject(step) ? { parameters: {}, ...step } : step)) : steps,
  }
  return whole as unknown as SkillDefinition
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What could be saved and never executed, such as a template that does not end, is refused as well. */
async function refuseUnusable(name: string, text: string): Promise<void> {
  const folder = folderOfFiles(name, new Map([['SKILL.md', { bytes: new TextEncoder().encode(text) }]]))
  const found = await adviseSkill(await parseSkill(text), folder)
  const problem = found.find(({ severity }) => severity === 'error')
  if (problem !== undefined) throw invalid(name, problem.message.replace(/\.$/, ''))
}

function invalid(name: string | undefined, reason: string): SkillError {
  const skill = name === undefined ? 'The skill' : `The skill "${showName(name)}"`
  return new SkillError('MANIFEST_INVALID', `${skill} is not created: ${reason}.`)
}
