import type { UsedNames } from '../../disclosure/rank.ts'
import type { Skill } from '@repertoire/skill-md/internal'
import { rememberedList } from '../../tools/matched-lists.ts'
import { offersSearch, type ShownList, shownList } from '../../tools/offered-search.ts'
import { type ListSettings, type MatchedActive, matchedList, type SkillList } from '../../tools/skill-list.ts'
import { STYLES } from '../../tools/styles/table.ts'
import type { SkillMatcher } from '../context.ts'
import type { ActiveSkill } from '../state/state.ts'
import type { Step } from './step.ts'

/** Returns the names of the skills that fit, in a selective style; undefined where nothing says which do. */
export function fittingOf({ context: { listing, match }, skills, matched }: Step): ReadonlySet<string> | undefined {
  if (STYLES[listing.style].selective !== true || match === undefined) return undefined
  const names = typeof match === 'function' ? matchingNames(match, skills) : matched
  return names && new Set(names)
}

function matchingNames(match: SkillMatcher, skills: readonly Skill[]): readonly string[] {
  // A copy: sorting it in place would sort the list of every session.
  const names: unknown = match([...skills])
  if (Array.isArray(names)) return names as string[]
  const returned = names instanceof Promise ? 'a promise' : typeof names
  // One that rejects later must not end the process.
  if (names instanceof Promise) names.catch(() => undefined)
  throw new TypeError(`\`match\` gave ${returned}. It must give a list of the names of skills, at once.`)
}

/**
 * Returns the list of a step, and whether a search is offered beside it.
 * @param fitting see `fittingOf`
 */
export function listOf(step: Step, fitting: ReadonlySet<string> | undefined): ShownList {
  const { context, skills, active } = step
  const { listing, use } = context
  // What is active in a fork's parent session was never shown in this conversation.
  const shown = active.length === 0 ? active : active.filter(({ inherited }) => inherited !== true)
  const isSelective = STYLES[listing.style].selective === true
  if (!isSelective || (fitting === undefined && shown.length === 0)) {
    return wholeList(skills, listing, use?.before)
  }
  const list = fittingList(step, fitting, shown, false)
  if (!offersSearch(listing, list, skills)) return { list, isSearched: false }
  // What is searched for needs no bare names: the room is for descriptions.
  return { list: fittingList(step, fitting, shown, true), isSearched: true }
}

const wholeLists = new WeakMap<
  readonly Skill[],
  { readonly listing: ListSettings; readonly used: UsedNames | undefined; readonly shown: ShownList }
>()

/** Returns the list of all skills: that of the step before, unless a skill or a use has come since. */
function wholeList(skills: readonly Skill[], listing: ListSettings, used: UsedNames | undefined): ShownList {
  const known = wholeLists.get(skills)
  if (known !== undefined && known.listing === listing && known.used === used) return known.shown
  const shown = shownList(skills, listing, { used })
  wholeLists.set(skills, { listing, used, shown })
  return shown
}

/** Returns the list of what is active and what fits. */
function fittingList(
  { context, skills, granted = [] }: Step,
  fitting: ReadonlySet<string> | undefined,
  shown: readonly ActiveSkill[],
  searchable: boolean,
): SkillList {
  const { listing, match, matchedContents } = context
  const byName = namesOf(skills)
  const relevant = fitting === undefined ? skills : [...fitting].flatMap((name) => byName.get(name) ?? [])
  const content = typeof match === 'object' && fitting !== undefined ? match.content : 'none'
  const contents = new Map(
    content === 'none'
      ? []
      : relevant.map((skill) => [skill.name, matchedContents?.textOf(skill, content, granted)] as const),
  )
  const names = fitting && relevant.map(({ name }) => name)
  const ofActive = shown.map(({ name }) => name)
  const key = JSON.stringify([searchable, ofActive, names, [...contents.values()]])
  return rememberedList(skills, listing, key, () => {
    const listed = shown.map(({ name }): MatchedActive => byName.get(name) ?? { name })
    return matchedList({ active: listed, relevant, contents }, listing, { searchable })
  })
}

// There may be thousands of skills, and they are the same at nearly every step.
const known = new WeakMap<readonly Skill[], ReadonlyMap<string, Skill>>()

function namesOf(skills: readonly Skill[]): ReadonlyMap<string, Skill> {
  const byName = known.get(skills) ?? new Map(skills.map((skill) => [skill.name, skill]))
  known.set(skills, byName)
  return byName
}
