import { escapeXml, stripInvisible } from '../text/escape.ts'
import { toEntry, type ListedSkill, type ListEntry } from '../disclosure/listing.ts'
import { shorten } from '../disclosure/shorten.ts'
import type { ToolDefinition } from '../ports/tool.ts'
import { ACTIVATING } from './definitions.ts'
import { skillToolName } from './skill-tool-name.ts'

/** The longest description of a tool that all providers take, in UTF-16 code units: one beyond it fails a request. */
const MAX_DESCRIPTION_CHARS = 1_024

/**
 * Returns one tool per skill, in the order given: `skill_<name>` with the skill's description, cut to 1,024 characters,
 * or `Reference guide for <name>` where it has none. A call of one activates that skill, with its arguments as `args`.
 * Pure, and independent of all other tools, so that a host can show them where and how it likes; `session.call` knows
 * them in the style `tools`.
 */
export function skillToolsOf(skills: readonly ListedSkill[]): readonly ToolDefinition[] {
  return skills.map((skill) => skillTool(toEntry(skill)))
}

/** Returns the tool of a listed skill. */
export function skillTool({ name, description = '' }: ListEntry): ToolDefinition {
  const line = plainLine(toolDescription(description))
  return {
    name: skillToolName(name),
    description: line === '' ? `Reference guide for ${plainLine(stripInvisible(name))}` : line,
    inputSchema: INPUT,
    ...ACTIVATING,
  }
}

/** Returns a description that is short enough for a tool after escaping; unchanged where it is already. */
export function toolDescription(description: string): string {
  if (plainLine(description).length <= MAX_DESCRIPTION_CHARS) return description
  const line = description.replace(/\s+/g, ' ').trim()
  let maxChars = MAX_DESCRIPTION_CHARS
  for (;;) {
    const text = shorten(line, maxChars)
    const { length } = plainLine(text)
    if (length <= MAX_DESCRIPTION_CHARS) return text
    // Escaping lengthens the text: try as much less, and at least one character.
    maxChars = Math.floor((maxChars * MAX_DESCRIPTION_CHARS) / length)
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
