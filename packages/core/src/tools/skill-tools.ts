import { type Skill, described, isObject, normalForm, showName } from '@repertoire/skill-md/internal'
import { type ListEntry, type ListedSkill, inputSchemaOf, plainDescription } from '../disclosure/listing.ts'
import { shorten } from '../disclosure/fit.ts'
import type { ToolDefinition } from '../ports/tool.ts'
import { sha256Of } from '../text/hash.ts'

/** The longest description of a tool that all providers take, in UTF-16 code units: one beyond it fails a request. */
const MAX_TOOL_DESCRIPTION_CHARS = 1_024

/**
 * Returns one tool per skill, in the order given: `skill_<name>` with the author's whole description and when to use
 * it, without invisible characters, or `Reference guide for <name>` if it has none, as only a skill that is not read
 * from a SKILL.md can. A tool's description is no XML, so nothing is escaped. A call of one activates that skill, with
 * its arguments as `args`; one that is executed has its parameters as input. Pure, and independent of all other tools,
 * so that a host can show them where and how it likes; `session.call` knows them in the style `tools`.
 */
export function skillToolsOf(skills: readonly ListedSkill[]): readonly ToolDefinition[] {
  return skills.map(({ name, path, manifest }) =>
    skillTool({ name, location: path, description: plainDescription(manifest) }, inputSchemaOf(manifest)),
  )
}

/**
 * Returns the tool of a listed skill.
 * @param input of a skill that is executed: its parameters as a schema. Default: a text, which the schema of a tight
 * list does not name: it is accepted nevertheless, and the guidance has an example
 */
export function skillTool(
  { name, description = '' }: ListEntry,
  input?: ToolDefinition['inputSchema'],
  isTight = false,
): ToolDefinition {
  const text = isTight ? description.replace(/\s+/g, ' ') : description
  return {
    name: skillToolName(name),
    description: text.trim() || `Reference guide for ${showName(name)}`,
    inputSchema: input ?? (isTight ? NO_INPUT : INPUT),
    risk: 'risky',
  }
}

/** Returns a description that every provider takes for a tool. The list says which ones are cut. */
export function toolDescription(description: string): string {
  return shorten(description, MAX_TOOL_DESCRIPTION_CHARS)
}

const INPUT = Object.freeze({
  type: 'object',
  properties: Object.freeze({
    args: Object.freeze({ type: 'string', description: 'Arguments for the skill, if it takes any.' }),
  }),
  required: Object.freeze([]),
  additionalProperties: false,
})

// Not closed to other properties: `args` is one. And not without properties, which some providers refuse.
const NO_INPUT = Object.freeze({ type: 'object', properties: Object.freeze({}) })

/**
 * Returns the skill whose own tool has a name, in any case; undefined where no skill's has. Looked up in all skills,
 * also those for which the list has no room.
 */
export function skillOfTool(skills: readonly Skill[], tool: string): Skill | undefined {
  // These names are lowercase ASCII: a letter that only folds to ASCII makes another name.
  const name = tool.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
  if (!name.startsWith(SKILL_TOOL_PREFIX)) return undefined
  const known = byTool.get(skills) ?? new Map(skills.map((skill) => [skillToolName(skill.name), skill]))
  byTool.set(skills, known)
  return known.get(name)
}

/** The skills of a list by the names of their tools, some of which are made with a digest. */
const byTool = new WeakMap<readonly Skill[], ReadonlyMap<string, Skill>>()

export const SKILL_TOOL_PREFIX = 'skill_'

/** The longest name of a tool that providers take; they take letters, digits, `_` and `-`. */
const MAX_NAME_CHARS = 64

/** In hex, four bits a character. */
const DIGEST_CHARS = 20

/** Names that are used as they are. No underscore: names with a digest have one, and the two never collide. */
const PLAIN = new RegExp(`^[a-z0-9-]{1,${MAX_NAME_CHARS - SKILL_TOOL_PREFIX.length}}$`)

/**
 * Returns the name of a skill's own tool: `skill_<name>`, as providers accept it. A name with other characters, or
 * longer than 58, is written in those that are accepted, cut, and followed by `_` and a digest of all of it, so that
 * two skills never share a tool. It depends on the skill's name alone, in every framework and process.
 */
export function skillToolName(skill: string): string {
  if (PLAIN.test(skill)) return SKILL_TOOL_PREFIX + skill
  const readable = normalForm(skill, 'NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_NAME_CHARS - SKILL_TOOL_PREFIX.length - 1 - DIGEST_CHARS)
    .replace(/^-+|-+$/g, '')
  return `${SKILL_TOOL_PREFIX}${readable}_${sha256Of(skill).slice(0, DIGEST_CHARS)}`
}

/**
 * What a model is told of a tool: its name, its description, and its parameters if it has some. What stands around them
 * is each provider's own, and not known here.
 */
export function toolText({ name, description, inputSchema }: ToolDefinition): string {
  const hasParameters = Object.keys(Object(inputSchema['properties']) as object).length > 0
  return [name, description, ...(hasParameters ? [JSON.stringify(inputSchema)] : [])].join('\n')
}

type Inputs = ReadonlyMap<string, ToolDefinition['inputSchema']>

export const NO_INPUTS: Inputs = new Map()

export function inputsOf(skills: readonly Skill[]): Inputs {
  return new Map(
    skills.flatMap(({ name, manifest }) => {
      const input = inputSchemaOf(manifest)
      return input === undefined ? [] : [[name, input] as const]
    }),
  )
}

/** Returns what is wrong with an input as a whole; undefined if it is an object. */
export function inputProblem(tool: string, input: unknown): string | undefined {
  if (isObject(input)) return undefined
  return `\`${tool}\` takes its input as one JSON object; it was given ${described(input)}.`
}

interface FieldKinds {
  /** Trimmed. */
  readonly text: string
  readonly texts: readonly string[]
  /** 1 or more. */
  readonly line: number
}

const isText = (value: unknown): boolean => typeof value === 'string'

/** Types are never coerced: a wrong one gets a message with the right one. */
const KINDS: Readonly<
  Record<keyof FieldKinds, { readonly expects: string; readonly fits: (value: unknown) => boolean }>
> = {
  text: { expects: 'a string', fits: isText },
  texts: { expects: 'a list of strings', fits: (value) => Array.isArray(value) && value.every(isText) },
  line: { expects: 'a whole number, 1 or more', fits: (value) => Number.isInteger(value) && Number(value) >= 1 },
}

/**
 * Returns the fields of an input as the model wrote it, read by their kinds, or what is wrong with the first that is
 * wrong. One that is missing or null is undefined.
 */
export function readFields<const Fields extends Readonly<Record<string, keyof FieldKinds>>>(
  tool: string,
  input: unknown,
  fields: Fields,
):
  | { readonly values: { readonly [Name in keyof Fields]: FieldKinds[Fields[Name]] | undefined } }
  | { readonly wrong: string } {
  if (!isObject(input)) return { wrong: inputProblem(tool, input)! }
  const values: Record<string, unknown> = {}
  for (const [name, kind] of Object.entries(fields)) {
    const value = input[name] ?? undefined
    const { expects, fits } = KINDS[kind]
    if (value !== undefined && !fits(value)) return { wrong: `\`${name}\` of \`${tool}\` must be ${expects}.` }
    values[name] = typeof value === 'string' ? value.trim() : value
  }
  return { values: values as { readonly [Name in keyof Fields]: FieldKinds[Fields[Name]] | undefined } }
}
