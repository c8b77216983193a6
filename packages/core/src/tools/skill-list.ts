import { type ListingBudget, resolveBudget, type TokenBudget } from '../disclosure/budget.ts'
import { inputSchemaOf } from '../disclosure/parameters.ts'
import { fitList, type ListingCuts } from '../disclosure/fit.ts'
import { listedDescription, type ListEntry, plainDescription } from '../disclosure/listing.ts'
import type { Layer, Skill } from '../ports/skill.ts'
import type { ToolDefinition } from '../ports/tool.ts'
import type { SearchMode } from './search-tool.ts'
import { matchedText, relevantSections } from './styles/matched.ts'
import { LISTING_STYLES, type ListingStyle, STYLES } from './styles/table.ts'
import { shownValue } from '../text/quote.ts'

/** How skills are listed. */
export interface ListSettings {
  readonly style: ListingStyle
  /** Absent: the list is shown whole. */
  readonly budget: TokenBudget | undefined
  /** Whether the section of an active skill has its instructions, in a style with sections. */
  readonly sectionContent?: boolean
  /** Highest first: skills of the lowest layer are the first to be cut. */
  readonly layers: readonly Layer[]
  /** When a model is offered a tool to search. Absent: never. */
  readonly search?: SearchMode
}

/**
 * Returns how a repertoire lists skills.
 * @throws {TypeError} an unknown style, or a budget that cannot be kept
 */
export function resolveListing(
  style: ListingStyle,
  budget: ListingBudget | false | undefined,
  layers: readonly Layer[],
  { sectionContent = false, search = 'never' }: Pick<ListSettings, 'sectionContent' | 'search'> = {},
): ListSettings {
  if (!Object.hasOwn(STYLES, style)) {
    throw new TypeError(`\`style\` is ${shownValue(style)}. Give one of ${LISTING_STYLES.join(', ')}.`)
  }
  return { style, budget: resolveBudget(budget), layers, sectionContent, search }
}

/** The skills of a step as they are listed for a model. */
export interface SkillList {
  /** The list as text, with a note on what was cut. Where each skill has a tool, the note alone. */
  readonly text: string
  /** The names of those that are listed. */
  readonly names: readonly string[]
  /** One per skill in a style with such tools; otherwise none. */
  readonly tools: readonly ToolDefinition[]
  readonly cuts: ListingCuts
  /** The sections of skills that are not active, in a selective style. Otherwise absent. */
  readonly sections?: () => readonly { readonly name: string; readonly text: string }[]
}

/** An active skill of a selective style, with the text of its activation where its section is to have it. */
export type MatchedActive = Pick<Skill, 'name'> & Partial<Skill> & { readonly activation?: string | undefined }

/** Which skills a selective style shows. */
export interface Matched {
  /** They are never cut. One that is no longer visible has its name alone. */
  readonly active: readonly MatchedActive[]
  /** Most relevant first: the last are the first to be cut. */
  readonly relevant: readonly Skill[]
  /** Returns the instructions that the section of a relevant one is to have. Default: none has any. */
  readonly contentOf?: (skill: Skill) => string | undefined
}

/**
 * Returns a list of skills as the model would be shown it in one of the styles, and what was cut from it to keep to the
 * budget. Sorted by name; where there is no room, skills of the lowest layer are cut first, and within a layer the last
 * by name. In the style `matched` every skill counts as relevant and none as active, in the order given.
 * @param budget default: 0.02 of 200,000 tokens; false: none
 * @param layers highest first; a layer that is not named comes after all that are. Default: all are equal
 * @throws {TypeError} the budget cannot be kept, or its `countTokens` does not return a number
 */
export function renderListing(
  skills: readonly Skill[],
  style: ListingStyle,
  budget: ListingBudget | false = {},
  layers: readonly Layer[] = [],
): { readonly text: string; readonly tools: readonly ToolDefinition[]; readonly cuts: ListingCuts } {
  const { text, tools, cuts } = skillList(skills, resolveListing(style, budget, layers))
  return { text, tools, cuts }
}

// Frameworks begin a step, and some open a session, for every call of the model: the list is the same each time.
const known = new WeakMap<readonly Skill[], WeakMap<ListSettings, SkillList>>()

/** Returns the list of all visible skills. Made once for the same skills and settings. */
export function skillList(skills: readonly Skill[], settings: ListSettings): SkillList {
  const lists = known.get(skills) ?? new WeakMap<ListSettings, SkillList>()
  const list = lists.get(settings) ?? makeList(skills, settings)
  known.set(skills, lists.set(settings, list))
  return list
}

/** Returns the list of the skills that matter in one step. */
export function matchedList({ active, relevant, contentOf }: Matched, { budget }: ListSettings): SkillList {
  const inUse = new Set(active.map(({ name }) => name))
  const skills = relevant.filter(({ name }) => !inUse.has(name))
  const sections = active.map(({ name, manifest }) => ({
    name,
    ...(manifest && { description: listedDescription(manifest) }),
  }))
  const withContent = sections.map((section, index) => {
    const { activation } = active[index]!
    return activation === undefined ? section : { ...section, activation }
  })
  // The budget is the list's: instructions were agreed to, and count as little as where an activation returns them.
  const textOf = (entries: readonly ListEntry[], unlisted: number): string => matchedText(sections, entries, unlisted)
  const namesOf = (entries: readonly ListEntry[]): readonly string[] => [
    ...active.flatMap(({ name, manifest }) => (manifest === undefined ? [] : [name])),
    ...entries.map(({ name }) => name),
  ]
  const { entries, cuts } = fitList({
    skills,
    budget,
    text: (shown, unlisted) => `${textOf(shown, unlisted)}\n${JSON.stringify(namesOf(shown))}`,
  })
  const listed = new Set(entries.map(({ name }) => name))
  const contents = new Map(
    contentOf === undefined
      ? []
      : skills.filter(({ name }) => listed.has(name)).map((each) => [each.name, contentOf(each)]),
  )
  const text = matchedText(withContent, entries, cuts.dropped.length, contents)
  return { text, names: namesOf(entries), tools: [], cuts, sections: () => relevantSections(entries, contents) }
}

function makeList(skills: readonly Skill[], settings: ListSettings): SkillList {
  const { text, toolOf, bound, selective } = STYLES[settings.style]
  if (selective === true) return matchedList({ active: [], relevant: skills }, settings)
  const { budget, layers } = settings
  const inputs = toolOf === undefined ? NO_INPUTS : inputsOf(skills)
  const toolsOf = (entries: readonly ListEntry[]): readonly ToolDefinition[] =>
    toolOf === undefined ? [] : entries.map((entry) => toolOf(entry, inputs.get(entry.name)))
  const { entries, cuts } = fitList({
    skills,
    keep: keepOrder(skills, layers),
    budget,
    ...(bound !== undefined && { bound }),
    ...(toolOf !== undefined && { describe: plainDescription }),
    // The names stand in the schema of the activation tool once more.
    text: (shown, unlisted) =>
      `${text(shown, unlisted)}\n${JSON.stringify(toolOf === undefined ? entryNames(shown) : toolsOf(shown))}`,
  })
  return { text: text(entries, cuts.dropped.length), names: entryNames(entries), tools: toolsOf(entries), cuts }
}

type Inputs = ReadonlyMap<string, ToolDefinition['inputSchema']>

const NO_INPUTS: Inputs = new Map()

/** What the tools of single skills take, by the names of those that are executed. */
function inputsOf(skills: readonly Skill[]): Inputs {
  return new Map(
    skills.flatMap(({ name, manifest }) => {
      const input = inputSchemaOf(manifest)
      return input === undefined ? [] : [[name, input] as const]
    }),
  )
}

function entryNames(entries: readonly ListEntry[]): readonly string[] {
  return entries.map(({ name }) => name)
}

function keepOrder(skills: readonly Skill[], layers: readonly Layer[]): readonly number[] {
  const rank = new Map(layers.map((layer, index) => [layer, index]))
  const rankOf = (index: number): number => rank.get(skills[index]!.layer) ?? layers.length
  return [...skills.keys()].toSorted((a, b) => rankOf(a) - rankOf(b))
}
