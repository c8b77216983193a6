import { showName, SkillError } from '@repertoire/core'
import { nearestNames } from '@repertoire/core/stores'

/** The error for a folder in the place of a skill, which may hold anything. */
export function notASkill(name: string, code: 'STORE_CONFLICT' | 'RESOURCE_REFUSED'): SkillError {
  const message = `The skill "${name}" was not written: there is a folder of that name without a SKILL.md. Move it away, or choose another name.`
  return new SkillError(code, message)
}

/** The error for a folder of a store that has no SKILL.md. */
export function noManifest(folder: string): SkillError {
  const message = `The folder "${showName(folder)}" of the store has no SKILL.md, so that it is not a skill. Save a skill of that name, or remove the folder.`
  return new SkillError('SKILL_NOT_FOUND', message, { nearest: [] })
}

/** The error for a name under which nothing is stored. */
export function notStored(name: string, names: readonly string[]): SkillError {
  const nearest = nearestNames(name, names)
  const meant = nearest.length === 0 ? 'Ask for the list of skills.' : `Did you mean "${nearest.join('", "')}"?`
  return new SkillError('SKILL_NOT_FOUND', `The store has no skill "${showName(name)}". ${meant}`, { nearest })
}
