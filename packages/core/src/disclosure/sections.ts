import { enclosed, escapeXml, oneLine, stripInvisible, showName } from '@repertoire/skill-md/internal'

/** A skill as a section of a system prompt. */
export interface SkillSection {
  readonly name: string
  readonly description?: string
  /** Its instructions, if the section should contain them. */
  readonly content?: string | undefined
}

/**
 * Returns a skill as a Markdown section, `## Skill: <name>` with description and content. No text of a skill can begin
 * another section or end its section: names and descriptions are one line each, and the content is enclosed in
 * `<skill_content>`.
 */
export function skillSection({ name, description = '', content }: SkillSection): string {
  const text = line(description)
  const parts = [
    `## Skill: ${named(name)}`,
    ...(text === '' ? [] : [`Description: ${text}`]),
    ...(content === undefined
      ? []
      : [`<skill_content name="${named(name)}">\n${withoutHeadings(enclosed(content)).trim()}\n</skill_content>`]),
  ]
  return parts.join('\n\n')
}

/** Returns the section of an active skill, whose activation has returned the instructions. */
export function activeSection(skill: Omit<SkillSection, 'content'>): string {
  return `${skillSection(skill)}\n\nThis skill is active: its instructions were returned when it was activated, and hold.`
}

function named(text: string): string {
  return escapeXml(showName(text))
}

function line(text: string): string {
  return oneLine(stripInvisible(text))
}

// Both heading forms of Markdown. Only headings that look like a skill's are escaped: the content is enclosed anyway.
const HEADING = /^(?=[\t ]*(?:>[\t ]*)*#(?:[\t ]*#)*[\t ]*skill[\t ]*:)/gim
const UNDERLINED = /^(?=[\t ]*(?:>[\t ]*)*skill[\t ]*:.*\n[\t ]*(?:>[\t ]*)*[-=])/gim

function withoutHeadings(text: string): string {
  return text.replace(HEADING, '\\').replace(UNDERLINED, '\\')
}
