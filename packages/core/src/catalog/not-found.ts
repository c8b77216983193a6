import { SkillError } from '../errors.ts'
import { nearestNames } from './nearest.ts'

/** The error for a name that is none of some names, with the nearest of them. */
export function skillNotFound(name: string, names: Iterable<string>, where = ''): SkillError {
  const nearest = nearestNames(name, names)
  const message = `There is no skill "${name}"${where}.${didYouMean(nearest)}`
  return new SkillError('SKILL_NOT_FOUND', message, { nearest })
}

/** Names as a question, to follow a sentence; empty where there are none. */
export function didYouMean(nearest: readonly string[]): string {
  return nearest.length === 0 ? '' : ` Did you mean ${nearest.map((near) => `"${near}"`).join(', ')}?`
}
