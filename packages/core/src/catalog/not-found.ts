import { SkillError, described, quote, quoteName, nearestNames } from '@repertoire/skill-md/internal'

/**
 * Returns the error for a name that is not among `names`, with the most similar of them.
 * @throws {TypeError} the name is not a string
 */
export function skillNotFound(name: string, names: Iterable<string>, where = ''): SkillError {
  if (typeof name !== 'string') throw new TypeError(`The name of a skill is ${described(name)}. Give a string.`)
  const nearest = nearestNames(name, names)
  const message = `There is no skill ${quote(name)}${where}.${didYouMean(nearest)}`
  return new SkillError('SKILL_NOT_FOUND', message, { nearest })
}

/** Returns a question that suggests names, to append to a sentence; empty where there are none. */
export function didYouMean(nearest: readonly string[]): string {
  return nearest.length === 0 ? '' : ` Did you mean ${nearest.map(quoteName).join(', ')}?`
}
