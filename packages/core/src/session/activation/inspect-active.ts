import { untimedFolder } from '../../catalog/source-skill.ts'
import { inTime } from '../../time-limit.ts'
import type { SessionContext } from '../context.ts'
import type { ActiveSkill } from '../state/state.ts'
import { type InspectedSkill, inspectSkill } from '../inspect-skill.ts'

/**
 * Reads the folder of an active skill again; undefined where it is gone, or is not what was consented to.
 * @throws whatever a source's folder throws, and `TIMED_OUT` where it does not answer
 */
export async function inspectActive(
  {
    pinnedFolders,
    parser,
    profile,
    loadTimeout,
  }: Pick<SessionContext, 'parser' | 'profile' | 'loadTimeout' | 'pinnedFolders'>,
  active: ActiveSkill,
): Promise<InspectedSkill | undefined> {
  const skill = pinnedFolders.skillOf(active)
  if (skill === undefined) return undefined
  const inspecting = inspectSkill(skill, parser, profile, untimedFolder(skill.folder))
  const inspected = await inTime(inspecting, loadTimeout, 'Its folder')
  return 'broken' in inspected || inspected.digest !== active.digest ? undefined : inspected
}
