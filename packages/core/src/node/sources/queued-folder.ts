import type { SkillLocator } from '../../catalog/fast-visit.ts'
import { childPath } from '../folder/child-path.ts'
import type { ScannedFolder } from './manifest-visit.ts'

/** A folder that a scan has to search. */
export interface QueuedFolder extends ScannedFolder {
  /** The depth below the root. */
  readonly level: number
  /** Whether it is inside a skill's folder: its links are that skill's resources, not skills. */
  readonly inSkill: boolean
}

/** The common prefix of the paths of a folder's entries, as shown and with links resolved. */
export interface PathPrefix {
  readonly path: string
  readonly real: string
}

/** Returns the prefix, so that it is joined once for all entries. */
export function prefixOf({ path, real }: QueuedFolder): PathPrefix {
  const prefix = childPath(path, '')
  return { path: prefix, real: real === path ? prefix : childPath(real, '') }
}

/**
 * Returns an entry of a folder as a folder to search.
 * @param locator undefined: the entry is a link, or is below one
 */
export function childFolder(
  parent: QueuedFolder,
  prefix: PathPrefix,
  name: string,
  inSkill: boolean,
  locator: SkillLocator | undefined,
): QueuedFolder {
  const path = prefix.path + name
  return {
    name,
    path,
    real: prefix.real === prefix.path ? path : prefix.real + name,
    linked: locator === undefined,
    locator,
    level: parent.level + 1,
    inSkill,
  }
}
