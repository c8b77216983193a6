import { escapeXml, stripInvisible } from '../text/escape.ts'
import { toEntry, type ListedSkill, type ListEntry } from '../disclosure/listing.ts'
import { shorten } from '../disclosure/shorten.ts'
import type { ToolDefinition } from '../ports/tool.ts'
import { skillToolName } from './skill-tool-name.ts'

/** The longest description of a tool that all providers take, in UTF-16 code units: one beyond it fails a request. */
const MAX_DESCRIPTION_CHARS = 1_024

/**
 * One tool per skill, in the order given: `skill_<name>`, described as the skill describes itself, cut to 1,024
 * characters, or as `Reference guide for <name>` where it says nothing. A call of one is the activation of that skill,
 * with its arguments as `args`. Pure, and apart from all other tools, so that a host can show them where and how it
 * likes; `session.call` knows them in the style `tools`.
 */
export function skillToolsOf(skills: readonly ListedSkill[]): readonly ToolDefinition[] {
  return skills.map((skill) => skillTool(toEntry(skill)))
}

/** The tool of a skill as it is listed. */
export function skillTool({ name, description = '' }: ListEntry): ToolDefinition {
  const line = plainLine(toolDescription(description))
  return {
    name: skillToolName(name),
    description: line === '' ? `Reference guide for ${plainLine(stripInvisible(name))}` : line,
    inputSchema: INPUT,
  }
}

/**
 * A description that is short enough for a tool, escaped as it is shown there. One that is so already comes back as it
 * is.
 */
export function toolDescription(description: string): string {
  if (plainLine(description).length <= MAX_DESCRIPTION_CHARS) return description
  const line = description.replace(/\s+/g, ' ').trim()
  let most = MAX_DESCRIPTION_CHARS
  for (;;) {
    const text = shorten(line, most)
    const { length } = plainLine(text)
    if (length <= MAX_DESCRIPTION_CHARS) return text
    // What is escaped grows: by that much less, and at least by one.
    most = Math.floor((most * MAX_DESCRIPTION_CHARS) / length)
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
