import { enclosed, escapeXml, oneLine, stripInvisible, showName } from '@repertoire/skill-md/internal'

/** A skill as a section of a system prompt. */
export interface SkillSection {
  readonly name: string
  readonly description?: string
  /** Its instructions, if the section should contain them. */
  readonly content?: string
}

/** The skills that have sections. */
export interface SkillSections {
  /** Active skills. They come first. */
  readonly active: readonly SkillSection[]
  /** Skills that fit the task, most relevant first. An active skill does not get a second section. */
  readonly relevant: readonly SkillSection[]
}

/**
 * Returns skills as Markdown sections, `## Skill: <name>` with description and content: active ones first, then relevant
 * ones. An active skill without content gets a sentence that its activation has returned the instructions. No text of a
 * skill can begin another section or end its section: names and descriptions are one line each, and the content is
 * enclosed in `<skill_content>`. Empty if there are none.
 */
export function skillSections({ active, relevant }: SkillSections): string {
  const names = new Set(active.map(({ name }) => name))
  return [
    ...active.map((skill) => section(skill, true)),
    ...relevant.filter(({ name }) => !names.has(name)).map((skill) => section(skill, false)),
  ].join('\n\n')
}

function section({ name, description = '', content }: SkillSection, isActive: boolean): string {
  const text = line(description)
  const parts = [
    `## Skill: ${named(name)}`,
    ...(text === '' ? [] : [`Description: ${text}`]),
    ...(isActive && content === undefined
      ? ['This skill is active: its instructions were returned when it was activated, and hold.']
      : []),
    ...(content === undefined
      ? []
      : [`<skill_content name="${named(name)}">\n${withoutHeadings(enclosed(content)).trim()}\n</skill_content>`]),
  ]
  return parts.join('\n\n')
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
