import { matchedStyle } from './matched.ts'
import { sectionStyle } from './section.ts'
import type { Style } from './style.ts'
import { toolStyle } from './tool.ts'
import { toolsStyle } from './tools.ts'
import { xmlStyle } from './xml.ts'

const TABLE = {
  xml: xmlStyle,
  section: sectionStyle,
  tool: toolStyle,
  tools: toolsStyle,
  matched: matchedStyle,
} as const satisfies Record<string, Style>

/**
 * Where and how the skills stand.
 *
 * - `xml`: an `<available_skills>` block in the system prompt.
 * - `section`: a Markdown section there.
 * - `tool`: inside the description of the activation tool, for providers that take long ones: some take 1,024
 *   characters.
 * - `tools`: one tool per skill, `skill_<name>`, in place of the activation tool.
 * - `matched`: a section in the system prompt for each active skill, then for each that fits the task, see
 *   `SkillMatcher`.
 */
export type ListingStyle = keyof typeof TABLE

/** The record of each style. */
export const STYLES: Readonly<Record<ListingStyle, Style>> = TABLE

/** Every style. */
export const LISTING_STYLES = Object.keys(TABLE) as readonly ListingStyle[]

/** Whether each skill has a tool of its own in this style, and there is none that activates by name. */
export function hasSkillTools(style: ListingStyle): boolean {
  return STYLES[style].toolOf !== undefined
}
