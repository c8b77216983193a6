import { RecentEntries } from '../recent-entries.ts'
import type { UsedNames } from '../disclosure/budget.ts'
import type { Skill } from '@repertoire/skill-md/internal'
import { type ListSettings, type SkillList, skillList } from './skill-list.ts'

export interface ShownList {
  readonly list: SkillList
  readonly isSearched: boolean
}

/** Lists of the same skills that are remembered: as many as there are agents at work that have used different ones. */
const MAX_LISTS = 64

/** By the visible skills of a catalog, and by the settings of the repertoire. */
const memo = new WeakMap<readonly Skill[], WeakMap<ListSettings, RecentEntries<UsedNames | string, ShownList>>>()

/**
 * Returns a list that is made once: to fit one to its budget takes longer than everything else in a step, and it is the
 * same at nearly every step.
 * @param key what else it depends on: the skills that were used before, or in a selective style what it shows
 */
export function rememberedList(
  skills: readonly Skill[],
  settings: ListSettings,
  key: UsedNames | string,
  make: () => ShownList,
): ShownList {
  const bySettings = memo.get(skills) ?? new WeakMap<ListSettings, RecentEntries<UsedNames | string, ShownList>>()
  const lists = bySettings.get(settings) ?? new RecentEntries<UsedNames | string, ShownList>(MAX_LISTS)
  memo.set(skills, bySettings.set(settings, lists))
  const shown = lists.get(key) ?? make()
  lists.set(key, shown)
  return shown
}

const NOTHING_USED: UsedNames = new Set()

/**
 * Returns the list of all skills as it is shown: with its room for descriptions alone where a search is offered.
 * @param used the names of skills that were used before. Default: none
 */
export function shownList(skills: readonly Skill[], settings: ListSettings, used: UsedNames = NOTHING_USED): ShownList {
  const unused = listFor(skills, settings, NOTHING_USED)
  // A list that does not depend on the rank of the skills is the same for all sessions.
  return used.size === 0 || unused.list.ranked !== true ? unused : listFor(skills, settings, used)
}

function listFor(skills: readonly Skill[], settings: ListSettings, used: UsedNames): ShownList {
  return rememberedList(skills, settings, used, () =>
    withSearch(skills, settings, (searchable) => skillList(skills, settings, used, searchable)),
  )
}

export function withSearch(
  skills: readonly Skill[],
  { search }: Pick<ListSettings, 'search'>,
  make: (searchable: boolean) => SkillList,
): ShownList {
  if (skills.length === 0 || search === 'never') return { list: make(false), isSearched: false }
  if (search === 'always') return { list: make(true), isSearched: true }
  const list = make(true)
  const showsAll = list.isWhole && list.names.length >= skills.length
  return showsAll ? { list: make(false), isSearched: false } : { list, isSearched: true }
}
