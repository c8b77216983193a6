import {
  lineEntry,
  lineList,
  type ListEntry,
  type ListingDetail,
  notListedNote,
  notOfferedNote,
  sectionList,
  xmlEntry,
  xmlList,
} from '../disclosure/listing.ts'
import type { ToolDefinition } from '../ports/tool.ts'
import { SKILL_TOOL_PREFIX, skillTool, toolDescription } from './skill-tools.ts'
import { activeSection, type SkillSection, skillSection } from '../disclosure/sections.ts'

/** A way to list skills. A new one is a record in the table of styles. */
export interface Style {
  /**
   * Where the text is shown: in the system prompt before or after the guidance, as its next lines, or in the
   * description of the activation tool. What changes from step to step is best at the end, and so does a section, of
   * which text after it would be a part.
   */
  readonly place: 'before-guidance' | 'after-guidance' | 'below-guidance' | 'activation-tool'
  /** The list, with `unlisted` skills that are not in it. Empty if there is nothing to say. */
  readonly text: (entries: readonly ListEntry[], unlisted: number) => string
  /** What the list has of one skill. Absent: the skill's tool. */
  readonly entry?: (entry: ListEntry) => string
  readonly details: readonly ListingDetail[]
  /** The tool of a skill, where each has one in place of the activation tool. */
  readonly toolOf?: (
    entry: ListEntry,
    input: ToolDefinition['inputSchema'] | undefined,
    isTight: boolean,
  ) => ToolDefinition
  /** Cuts a description to what can be shown of it whatever the budget. Absent: it can be shown whole. */
  readonly bound?: (description: string) => string
  /** True: lists what matters in the step, active skills and those that fit the task. Absent: every visible skill. */
  readonly selective?: true
}

const TABLE = {
  lines: { place: 'below-guidance', details: [], text: lineList, entry: lineEntry },
  xml: { place: 'before-guidance', details: ['locations'], text: xmlList, entry: xmlEntry },
  section: { place: 'before-guidance', details: ['locations'], text: sectionList, entry: lineEntry },
  tool: { place: 'activation-tool', details: [], text: lineList, entry: lineEntry },
  tools: {
    place: 'after-guidance',
    details: ['white-space', 'arguments'],
    text: (_entries, unlisted) => (unlisted === 0 ? '' : notOfferedNote(unlisted, SKILL_TOOL_PREFIX)),
    toolOf: skillTool,
    bound: toolDescription,
  },
  matched: {
    place: 'after-guidance',
    details: [],
    text: (entries, unlisted) => matchedText([], entries, unlisted),
    entry: (entry) => matchedText([], [entry], 0),
    selective: true,
  },
} as const satisfies Record<string, Style>

/**
 * Where and how the skills stand.
 *
 * - `lines`: a line for each skill in the system prompt, its name and description.
 * - `xml`: an `<available_skills>` block there, with the path of each SKILL.md.
 * - `section`: a Markdown section there, with the same.
 * - `tool`: inside the description of the activation tool, for providers that take long ones: some take 1,024
 *   characters.
 * - `tools`: one tool per skill, `skill_<name>`, in place of the activation tool.
 * - `matched`: a section in the system prompt for each active skill, then for each that fits the task, see
 *   `TurnMatching`.
 */
export type ListingStyle = keyof typeof TABLE

export const STYLES: Readonly<Record<ListingStyle, Style>> = TABLE

/** Every style. */
export const LISTING_STYLES = Object.keys(TABLE) as readonly ListingStyle[]

export function hasSkillTools(style: ListingStyle): boolean {
  return STYLES[style].toolOf !== undefined
}

/**
 * The sections of active skills, then of the relevant ones, with `unlisted` skills that have none.
 * @param contents the instructions of relevant ones, by name, where their sections are to have them
 */
export function matchedText(
  active: readonly Omit<SkillSection, 'content'>[],
  relevant: readonly ListEntry[],
  unlisted: number,
  contents?: ReadonlyMap<string, string | undefined>,
): string {
  const notes = unlisted === 0 ? [] : [notListedNote(unlisted)]
  const sections = relevant.map((entry) => skillSection({ ...entry, content: contents?.get(entry.name) }))
  return [...notes, ...active.map(activeSection), ...sections].join('\n\n')
}

/** Returns the section of each skill that is not active, as it stands in the text of the list. */
export function relevantSections(
  relevant: readonly ListEntry[],
  contents?: ReadonlyMap<string, string | undefined>,
): readonly { readonly name: string; readonly text: string }[] {
  return relevant.map((entry) => ({ name: entry.name, text: matchedText([], [entry], 0, contents) }))
}
