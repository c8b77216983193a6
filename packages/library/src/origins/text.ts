import { lockedOriginText, type LockedOrigin } from '@repertoire/core/stores'
import { invalidOrigin } from './failure.ts'
import type { ResolvedOrigin } from './origin.ts'

export type { LockedOrigin }

/** Returns where a skill comes from as one text, also where its kind of origin is not known here. */
export function skillOrigin(origin: ResolvedOrigin, skillPath: string): string {
  return lockedOriginText({ ...origin, skillPath }) ?? origin.source
}

/**
 * Returns the text that `resolveOrigin` reads as the origin of a lock's entry.
 * @throws {SkillError} ORIGIN_INVALID: a kind of origin that is not known here
 */
export function originText(locked: LockedOrigin): string {
  const text = lockedOriginText(locked)
  if (text !== undefined) return text
  const { source, sourceType } = locked
  throw invalidOrigin(source, `origins of the kind "${sourceType}" are not known. Add the skill anew from where it is.`)
}
