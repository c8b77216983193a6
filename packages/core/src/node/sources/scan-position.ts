import type { SkillLocator } from '../../ports/source.ts'
import { childPath } from '../folder/child-path.ts'
import type { ScannedFolder } from './visit-manifest.ts'

/** A folder that a scan is to look into. */
export interface Place extends ScannedFolder {
  /** Folders below the root. */
  readonly level: number
  /** Whether it lies in a skill's folder: its links are that skill's resources, not skills. */
  readonly inSkill: boolean
}

/** What the paths of all entries of a folder begin with. */
interface Beginning {
  readonly path: string
  readonly real: string
}

/** The same for every name: joined once. */
export function beginningOf({ path, real }: Place): Beginning {
  const beginning = childPath(path, '')
  return { path: beginning, real: real === path ? beginning : childPath(real, '') }
}

/**
 * The place of an entry of a folder.
 * @param shelf absent: it is a link, or lies below one
 */
export function placeIn(
  parent: Place,
  beginning: Beginning,
  name: string,
  inSkill: boolean,
  shelf: SkillLocator | undefined,
): Place {
  const path = beginning.path + name
  return {
    name,
    path,
    real: beginning.real === beginning.path ? path : beginning.real + name,
    linked: shelf === undefined,
    shelf,
    level: parent.level + 1,
    inSkill,
  }
}
