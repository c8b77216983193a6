import type { SessionContext } from '../context.ts'
import type { ActiveSkill } from '../state/state.ts'
import { type InspectedSkill, inspectSkill } from './inspect.ts'

/**
 * Reads the folder of an active skill again; undefined where it is gone, or is not what was consented to.
 * @throws whatever a source's folder throws
 */
export async function inspectActive(
  { pinnedFolders, parser, profile }: Pick<SessionContext, 'parser' | 'profile' | 'pinnedFolders'>,
  active: ActiveSkill,
): Promise<InspectedSkill | undefined> {
  const skill = pinnedFolders.skillOf(active)
  if (skill === undefined) return undefined
  const inspected = await inspectSkill(skill, parser, profile)
  return 'broken' in inspected || inspected.digest !== active.digest ? undefined : inspected
}
