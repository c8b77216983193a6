import {
  LISTING_BUDGET_OPTIONS,
  type ListingBudget,
  rankSkills,
  resolveBudget,
  type TokenBudget,
  type UsedNames,
} from '../disclosure/budget.ts'
import { fitList, type ListingCuts } from '../disclosure/fit.ts'
import { listedDescription, type ListEntry, plainDescription } from '../disclosure/listing.ts'
import type { GuidanceMode } from '../disclosure/guidance.ts'
import { flag, checkOptions, type Layer, type Skill, shownValue } from '@repertoire/skill-md/internal'
import type { ToolDefinition } from '../ports/tool.ts'
import type { SearchMode } from './definitions.ts'
import { LISTING_STYLES, type ListingStyle, STYLES, matchedText, relevantSections } from './styles.ts'
import { inputsOf, NO_INPUTS, toolText } from './skill-tools.ts'

/** How skills are listed. */
export interface ListSettings {
  readonly style: ListingStyle
  /** Absent: the list is shown whole. */
  readonly budget: TokenBudget | undefined
  /** Highest first: of skills of one rank, those of the lowest layer are the first to be cut. */
  readonly layers: readonly Layer[]
  /** When a model is offered a tool to search. Absent: never. */
  readonly search?: SearchMode
  /** How much of the guidance stands in the system prompt. Absent: `short`. */
  readonly guidance?: GuidanceMode
  /** Whether the offered tools stay as they are while a skill narrows them. Absent: they do not. */
  readonly stableTools?: boolean
}

/**
 * Returns how a repertoire lists skills.
 * @throws {TypeError} an unknown style, or a budget that cannot be kept
 */
export function resolveListing(
  style: ListingStyle,
  budget: ListingBudget | false | undefined,
  layers: readonly Layer[],
  { search = 'never', guidance = 'short', stableTools = false }: ListFurther = {},
): ListSettings {
  if (!Object.hasOwn(STYLES, style)) {
    throw new TypeError(`\`style\` is ${shownValue(style)}. Give one of ${LISTING_STYLES.join(', ')}.`)
  }
  return { style, budget: resolveBudget(budget), layers, search, guidance, stableTools }
}

/** What else there is to say of a list. */
interface ListFurther {
  readonly search?: SearchMode | undefined
  readonly guidance?: GuidanceMode | undefined
  readonly stableTools?: boolean | undefined
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
  /** Whether every skill that it is made of is shown, with as much of its description as the style can show. */
  readonly isWhole: boolean
  /** Whether it depends on the rank of the skills, and so on which were used. Absent: it does not. */
  readonly ranked?: boolean
  /** The sections of skills that are not active, in a selective style. Otherwise absent. */
  readonly sections?: () => readonly { readonly name: string; readonly text: string }[]
}

/** An active skill of a selective style. */
export type MatchedActive = Pick<Skill, 'name'> & Partial<Skill>

/** Which skills a selective style shows. */
export interface Matched {
  /** They are never cut. One that is no longer visible has its name alone. */
  readonly active: readonly MatchedActive[]
  /** Most relevant first: the last are the first to be cut. */
  readonly relevant: readonly Skill[]
  /** The instructions that sections of relevant ones are to have, by name. Default: none has any. */
  readonly contents?: ReadonlyMap<string, string | undefined>
}

/**
 * Returns a list of skills as the model would be shown it in one of the styles, and what was cut from it to keep to the
 * budget. Sorted by name; where there is no room, skills of the lowest rank are cut first: see `ListingBudget.keep`, then
 * priority, then the layer. In the style `matched` every skill counts as relevant and none as active, in the order given.
 * @param budget default: 0.02 of 200,000 tokens; false: none
 * @param layers highest first; a layer that is not named comes after all that are. Default: all are equal
 * @param options.searchable whether the model has a tool that finds skills: then none is listed by its name alone. Default
 * false
 * @throws {TypeError} an option is unknown or has the wrong type; the budget cannot be kept, or its `countTokens` does not return a number
 */
export function renderListing(
  skills: readonly Skill[],
  style: ListingStyle,
  budget: ListingBudget | false = {},
  layers: readonly Layer[] = [],
  options: { readonly searchable?: boolean } = {},
): { readonly text: string; readonly tools: readonly ToolDefinition[]; readonly cuts: ListingCuts } {
  if (budget !== false) checkOptions('renderListing', LISTING_BUDGET_OPTIONS, budget)
  checkOptions<{ searchable?: boolean }>('renderListing', { searchable: flag }, options)
  const { text, tools, cuts } = skillList(skills, resolveListing(style, budget, layers), options)
  return { text, tools, cuts }
}

/** What a list depends on beside the skills and the settings. */
export interface ListOptions {
  /** The names of skills that were used before: they are cut later than others. Default: none. */
  readonly used?: UsedNames | undefined
  /** Whether the model has a tool that finds skills: then no name stands in the list without a description. Default false. */
  readonly searchable?: boolean | undefined
}

/** Returns the list of the skills that matter in one step. */
export function matchedList(
  { active, relevant, contents }: Matched,
  settings: ListSettings,
  { searchable = false }: Pick<ListOptions, 'searchable'> = {},
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

/** Returns the list of all visible skills. */
export function skillList(
  skills: readonly Skill[],
  settings: ListSettings,
  { used, searchable = false }: ListOptions = {},
): SkillList {
  const { text, entry, toolOf, bound, selective, details } = STYLES[settings.style]
  if (selective === true) return matchedList({ active: [], relevant: skills }, settings, { searchable })
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
