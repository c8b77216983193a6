import { escapeXml, stripInvisible } from '../disclosure/escape.ts'
import { entryOf, type ListedSkill, type ListEntry } from '../disclosure/listing.ts'
import type { ToolDefinition } from '../types.ts'
import { skillToolName } from './skill-tool-name.ts'

/**
 * One tool per skill, in the order given: `skill_<name>`, described as the skill describes itself, or as `Reference
 * guide for <name>` where it says nothing. A call of one is the activation of that skill, with its arguments as `args`.
 * Pure, and apart from all other tools, so that a host can show them where and how it likes; `session.call` knows them
 * in the style `tools`.
 */
export function skillToolsOf(skills: readonly ListedSkill[]): readonly ToolDefinition[] {
  return skills.map((skill) => skillTool(entryOf(skill)))
}

/** The tool of a skill as it is listed. */
export function skillTool({ name, description = '' }: ListEntry): ToolDefinition {
  const told = plainLine(description)
  return {
    name: skillToolName(name),
    description: told === '' ? `Reference guide for ${plainLine(stripInvisible(name))}` : told,
    inputSchema: INPUT,
  }
}

const INPUT = Object.freeze({
  type: 'object',
  properties: Object.freeze({
    args: Object.freeze({ type: 'string', description: 'Arguments for the skill, if it takes any.' }),
  }),
  required: Object.freeze([]),
  additionalProperties: false,
})

// Frameworks and chat templates write descriptions into prompts of their own, made of lines and markup.
function plainLine(text: string): string {
  return escapeXml(text.replace(/\s+/g, ' ').trim()).replaceAll('&quot;', '"').replaceAll('&#x27;', "'")
}
