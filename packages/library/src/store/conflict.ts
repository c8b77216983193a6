import { showName, SkillError } from '@repertoire/core'
import { nearestNames } from '@repertoire/core/stores'

/** The error for what is in the place of a skill, and may be anything. */
export function notASkill(name: string): SkillError {
  const message = `Nothing was written: "${showName(name)}" is there, and is a file, or a folder without a SKILL.md. Move it away, or choose another name.`
  return new SkillError('STORE_CONFLICT', message)
}

/** The error for a name under which nothing is stored. */
export function notStored(name: string, names: readonly string[]): SkillError {
  const nearest = nearestNames(name, names)
  const meant = nearest.length === 0 ? 'Ask for the list of skills.' : `Did you mean "${nearest.join('", "')}"?`
  return new SkillError('SKILL_NOT_FOUND', `The store has no skill "${showName(name)}". ${meant}`, { nearest })
}
