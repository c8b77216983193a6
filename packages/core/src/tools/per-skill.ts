import { showName } from '@repertoire/skill-md/internal'
import { type ListForm, WHOLE_FORM } from '../disclosure/list-form.ts'
import { plainDescription, type ListedSkill, type ListEntry } from '../disclosure/listing.ts'
import { inputSchemaOf } from '../disclosure/parameters.ts'
import { shorten } from '../disclosure/shorten.ts'
import type { ToolDefinition } from '@repertoire/gate/internal'
import { ACTIVATING } from './definitions.ts'
import { skillToolName } from './skill-tool-name.ts'

/** The longest description of a tool that all providers take, in UTF-16 code units: one beyond it fails a request. */
const MAX_DESCRIPTION_CHARS = 1_024

/**
 * Returns one tool per skill, in the order given: `skill_<name>` with the author's whole description and when to use it,
 * without what nobody sees, or `Reference guide for <name>` where it has none, as only
 * a skill that is not read from a SKILL.md can. A tool's description is no XML, so nothing
 * is escaped. A call of one activates that skill, with its arguments as `args`; one that is executed has its parameters as input. Pure, and independent of all other tools,
 * so that a host can show them where and how it likes; `session.call` knows them in the style `tools`.
 */
export function skillToolsOf(skills: readonly ListedSkill[]): readonly ToolDefinition[] {
  return skills.map(({ name, path, manifest }) =>
    skillTool({ name, location: path, description: plainDescription(manifest) }, inputSchemaOf(manifest)),
  )
}

/**
 * Returns the tool of a listed skill.
 * @param input of a skill that is executed: its parameters as a schema. Default: a text, which the schema of a tight list
 * does not name: it is accepted nevertheless, and the guidance has an example
 */
export function skillTool(
  { name, description = '' }: ListEntry,
  input?: ToolDefinition['inputSchema'],
  form: ListForm = WHOLE_FORM,
): ToolDefinition {
  const text = form.has('white-space') ? description : description.replace(/\s+/g, ' ')
  return {
    name: skillToolName(name),
    description: text.trim() || `Reference guide for ${showName(name)}`,
    inputSchema: input ?? (form.has('arguments') ? INPUT : NO_INPUT),
    ...ACTIVATING,
  }
}

/** Returns a description that every provider takes for a tool. The list says which ones are cut. */
export function toolDescription(description: string): string {
  return description.length <= MAX_DESCRIPTION_CHARS ? description : shorten(description, MAX_DESCRIPTION_CHARS)
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
