import type { Skill } from '@repertoire/skill-md/internal'
import { isListCut, type ListOptions, type ListSettings, type SkillList, skillList } from './skill-list.ts'

/** Whether a model is offered the search in a step: by option, or where its list does not show everything. */
export function offersSearch(
  { search = 'never' }: Pick<ListSettings, 'search'>,
  { names, isWhole }: Pick<SkillList, 'names' | 'isWhole'>,
  skills: readonly Skill[],
): boolean {
  if (search !== 'auto' || skills.length === 0) return search === 'always' && skills.length > 0
  return !isWhole || names.length < skills.length
}

/** The same of the list of all skills, for calls that come between steps. */
export function offersSearchIn(settings: ListSettings, skills: readonly Skill[]): boolean {
  if (settings.search === undefined || settings.search === 'never') return false
  return isSearchCertain(settings, skills) || offersSearch(settings, skillList(skills, settings), skills)
}

/** A list as it is shown. */
export interface ShownList {
  readonly list: SkillList
  /** Whether the model is offered the search beside it. */
  readonly isSearched: boolean
}

/** Returns the list of all skills as it is shown: with its room for descriptions alone where a search is offered. */
export function shownList(skills: readonly Skill[], settings: ListSettings, options: ListOptions = {}): ShownList {
  const searchable = (): ShownList => ({
    list: skillList(skills, settings, { ...options, searchable: true }),
    isSearched: true,
  })
  if (isSearchCertain(settings, skills)) return searchable()
  const list = skillList(skills, settings, options)
  return offersSearch(settings, list, skills) ? searchable() : { list, isSearched: false }
}

/** Whether it is offered whatever the list is: then the one without it need not be made. */
function isSearchCertain(settings: ListSettings, skills: readonly Skill[]): boolean {
  if (skills.length === 0) return false
  return settings.search === 'always' || (settings.search === 'auto' && isListCut(skills, settings))
}
