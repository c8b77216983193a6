import { LRUCache } from 'lru-cache'
import type { Skill } from '@repertoire/skill-md/internal'
import type { ListSettings, SkillList } from './skill-list.ts'

/** Lists of the same skills that are remembered: as many as sessions are likely to take turns with. */
const MAX_LISTS = 16

const known = new WeakMap<readonly Skill[], WeakMap<ListSettings, LRUCache<string, SkillList>>>()

/**
 * Returns the list of a step of a selective style, made once for the same skills, settings and key: fitting one to its
 * budget takes longer than everything else in a step.
 * @param key everything that the list depends on beside the skills and the settings
 */
export function rememberedList(
  skills: readonly Skill[],
  settings: ListSettings,
  key: string,
  make: () => SkillList,
): SkillList {
  const bySettings = known.get(skills) ?? new WeakMap<ListSettings, LRUCache<string, SkillList>>()
  const lists = bySettings.get(settings) ?? new LRUCache<string, SkillList>({ max: MAX_LISTS })
  known.set(skills, bySettings.set(settings, lists))
  const list = lists.get(key) ?? make()
  // Also where it was known: the one that was used longest ago is dropped.
  lists.set(key, list)
  return list
}
