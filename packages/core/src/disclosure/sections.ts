import { enclosed, oneLine, stripInvisible } from '../text/escape.ts'

/** A skill as a section of a system prompt. */
export interface SkillSection {
  readonly name: string
  readonly description?: string
  /** Where its folder is. */
  readonly location?: string
  /** Its instructions, where they are to stand in the section. */
  readonly content?: string
}

/** Which skills have sections. */
export interface SkillSections {
  /** Those that are in use. They come first. */
  readonly active: readonly SkillSection[]
  /** Those that fit the task, most relevant first. One that is active has no second section. */
  readonly relevant: readonly SkillSection[]
}

/**
 * Skills as Markdown sections, `## Skill: <name>` with description and content: active ones first, then relevant ones.
 * Without a content, an active skill's section says that its instructions were returned by its activation. Nothing in a
 * skill can begin another section or leave its own: names and descriptions are one line each, and the content is
 * enclosed in `<skill_content>`. Empty where there are none.
 */
export function skillSections({ active, relevant }: SkillSections): string {
  const names = new Set(active.map(({ name }) => name))
  return [
    ...active.map((skill) => section(skill, true)),
    ...relevant.filter(({ name }) => !names.has(name)).map((skill) => section(skill, false)),
  ].join('\n\n')
}

function section({ name, description = '', location, content }: SkillSection, isActive: boolean): string {
  const text = line(description)
  const parts = [
    `## Skill: ${line(name)}`,
    ...(text === '' ? [] : [text.replace(/^(?=[#>=-])/, '\\')]),
    ...(location === undefined ? [] : [`Location: ${line(location)}`]),
    ...(isActive && content === undefined
      ? ['This skill is active: its instructions were returned when it was activated, and hold.']
      : []),
    ...(content === undefined
      ? []
      : [`<skill_content name="${line(name)}">\n${withoutHeadings(enclosed(content)).trim()}\n</skill_content>`]),
  ]
  return parts.join('\n\n')
}

function line(text: string): string {
  return oneLine(stripInvisible(text))
}

// Both ways to write a heading in Markdown. All other headings stay: the content is enclosed as a whole.
const GAP = '[\\t \\u200C\\u200D\\uFE00-\\uFE0F]*'
const HEADING = new RegExp(`^(?=${GAP}(?:>${GAP})*#+${GAP}skill${GAP}:)`, 'gimu')
const UNDERLINED = new RegExp(`^(?=${GAP}(?:>${GAP})*skill${GAP}:.*\\n${GAP}(?:>${GAP})*[-=])`, 'gimu')

function withoutHeadings(text: string): string {
  return text.replace(HEADING, '\\').replace(UNDERLINED, '\\')
}
