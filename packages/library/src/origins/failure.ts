import { showName, SkillError } from '@repertoire/core'

/** A text that does not say where skills come from. What may hold a password is not repeated. */
export function invalidOrigin(text: string, reason: string): SkillError {
  const shown = /:\/\/[^/]*@/.test(text) ? 'the address' : `"${showName(text.slice(0, 200))}"`
  return new SkillError('ORIGIN_INVALID', `Nothing was fetched from ${shown}: ${reason}`)
}

/** An origin that does not answer, or not with what was asked for. */
export function unreachable(origin: string, reason: string, cause?: unknown): SkillError {
  return new SkillError('ORIGIN_UNREACHABLE', `Nothing was fetched from ${showName(origin)}: ${reason}`, { cause })
}

/** An origin that breaks a rule. @param path what of it */
export function refused(origin: string, reason: string, path?: string): SkillError {
  const message = `Nothing of ${showName(origin)} is taken: ${reason}`
  return new SkillError('ORIGIN_REFUSED', message, path === undefined ? {} : { path })
}
