import { rankSkills, type TokenBudget, type UsedNames } from '../disclosure/budget.ts'
import { fitList, type ListingCuts } from '../disclosure/fit.ts'
import { listedDescription, type ListEntry, plainDescription } from '../disclosure/listing.ts'
import type { GuidanceMode } from '../disclosure/guidance.ts'
import type { Layer, Skill } from '@repertoire/skill-md/internal'
import type { ToolDefinition } from '../ports/tool.ts'
import type { SearchMode } from './definitions.ts'
import { type ListingStyle, STYLES, matchedText, relevantSections } from './styles.ts'
import { inputsOf, NO_INPUTS, toolText } from './skill-tools.ts'

export interface ListSettings {
  readonly style: ListingStyle
  /** Absent: the list is shown whole. */
  readonly budget: TokenBudget | undefined
  /** Highest first: of skills of one rank, those of the lowest layer are the first to be cut. */
  readonly layers: readonly Layer[]
  /** When a model is offered a tool to search. */
  readonly search: SearchMode
  readonly guidance: GuidanceMode
  readonly stableTools: boolean
}

/** The skills of a step as they are listed for a model. */
export interface SkillList {
  /** The list as text, with a note on what was cut. Where each skill has a tool, the note alone. */
  readonly text: string
  /** The names of those that are listed. */
  readonly names: readonly string[]
  /** Returns what the list has of each, in its order: a part of the text, or its tool as text. */
  readonly entryTexts: () => readonly string[]
  /** One per skill in a style with such tools; otherwise none. */
  readonly tools: readonly ToolDefinition[]
  readonly cuts: ListingCuts
  readonly isWhole: boolean
  /** Whether it depends on the rank of the skills, and so on which were used. Absent: it does not. */
  readonly ranked?: boolean
  /** The sections of skills that are not active, in a selective style. Otherwise absent. */
  readonly sections?: () => readonly { readonly name: string; readonly text: string }[]
}

/** An active skill of a selective style. */
export type MatchedActive = Pick<Skill, 'name'> & Partial<Skill>

export interface Matched {
  /** They are never cut. One that is no longer visible has its name alone. */
  readonly active: readonly MatchedActive[]
  /** Most relevant first: the last are the first to be cut. */
  readonly relevant: readonly Skill[]
  /** The instructions that sections of relevant ones are to have, by name. Default: none has any. */
  readonly contents?: ReadonlyMap<string, string | undefined>
}

/**
 * Returns the list of the skills that matter in one step.
 * @param searchable whether the model has a tool that finds skills: then no name is listed without a description
 */
export function matchedList(
  { active, relevant, contents }: Matched,
  settings: ListSettings,
  searchable: boolean,
): SkillList {
  const { budget } = settings
  const inUse = new Set(active.map(({ name }) => name))
  const skills = relevant.filter(({ name }) => !inUse.has(name))
  const sections = active.map(({ name, manifest }) => ({
    name,
    description: manifest && listedDescription(manifest),
  }))
  const { entries, cuts, isWhole } = fitList({
    skills,
    budget,
    describedOnly: searchable,
    text: (shown, unlisted) => matchedText(sections, shown, unlisted),
  })
  return {
    text: matchedText(sections, entries, cuts.dropped.length, contents),
    names: [...active.flatMap(({ name, manifest }) => (manifest === undefined ? [] : [name])), ...entryNames(entries)],
    entryTexts: () => [
      ...sections.flatMap((section, index) =>
        active[index]?.manifest === undefined ? [] : [matchedText([section], [], 0)],
      ),
      ...relevantSections(entries, contents).map((section) => section.text),
    ],
    tools: [],
    cuts,
    isWhole,
    sections: () => relevantSections(entries, contents),
  }
}

/**
 * @param used the names of skills that were used before: they are cut later than others
 * @param searchable as of `matchedList`
 */
export function skillList(
  skills: readonly Skill[],
  settings: ListSettings,
  used: UsedNames,
  searchable: boolean,
): SkillList {
  const { text, entry, toolOf, bound, selective, details } = STYLES[settings.style]
  if (selective === true) return matchedList({ active: [], relevant: skills }, settings, searchable)
  const { budget, layers } = settings
  const inputs = toolOf === undefined ? NO_INPUTS : inputsOf(skills)
  const toolsOf = (entries: readonly ListEntry[], isTight: boolean): readonly ToolDefinition[] =>
    toolOf === undefined ? [] : entries.map((shown) => toolOf(shown, inputs.get(shown.name), isTight))
  const { entries, isTight, cuts, isWhole, ranked } = fitList({
    skills,
    budget,
    details,
    describedOnly: searchable,
    bound,
    describe: toolOf && plainDescription,
    rank: () => rankSkills(skills, { keep: budget?.keep, used, layers }),
    text: (shown, unlisted, as) =>
      toolOf === undefined
        ? text(shown, unlisted)
        : [text([], unlisted), ...toolsOf(shown, as).map(toolText)].join('\n'),
  })
  return {
    text: text(entries, cuts.dropped.length),
    names: entryNames(entries),
    entryTexts: () => (entry === undefined ? toolsOf(entries, isTight).map(toolText) : entries.map(entry)),
    tools: toolsOf(entries, isTight),
    cuts,
    isWhole,
    ranked,
  }
}

function entryNames(entries: readonly ListEntry[]): readonly string[] {
  return entries.map(({ name }) => name)
}
