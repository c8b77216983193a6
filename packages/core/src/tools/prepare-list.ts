import type { Skill } from '@repertoire/skill-md/internal'
import { shownList } from './offered-search.ts'
import { type ListOptions, type ListSettings, prepareRank } from './skill-list.ts'

/**
 * Makes the list that a step will show, with the same options, so that the step finds it made. A counter of the host's is
 * not asked: it may not be ready yet, or take long for a list that nobody asks for. Then the list is made by the step.
 */
export function prepareList(skills: readonly Skill[], settings: ListSettings, options: ListOptions): void {
  if (skills.length === 0) return
  if (settings.budget?.additive === false) prepareRank(skills, settings)
  else shownList(skills, settings, options)
}
