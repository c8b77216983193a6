import { SkillError } from '@repertoire/core'
import { nearestNames } from '@repertoire/core/adapter'

/** The error for a name under which nothing is stored. */
export function notStored(name: string, names: readonly string[]): SkillError {
  const nearest = nearestNames(name, names)
  const meant = nearest.length === 0 ? 'Ask for the list of skills.' : `Did you mean "${nearest.join('", "')}"?`
  return new SkillError('SKILL_NOT_FOUND', `The store has no skill "${name}". ${meant}`, { nearest })
}
