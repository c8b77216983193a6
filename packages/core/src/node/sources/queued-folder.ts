import type { SkillLocator } from '../../catalog/fast-visit.ts'
import { childPath } from '../folder/child-path.ts'
import type { ScannedFolder } from './manifest-visit.ts'

/** A folder that a scan is to look into. */
export interface QueuedFolder extends ScannedFolder {
  /** Folders below the root. */
  readonly level: number
  /** Whether it lies in a skill's folder: its links are that skill's resources, not skills. */
  readonly inSkill: boolean
}

/** What the paths of all entries of a folder begin with, as shown and without links. */
export interface PathPrefix {
  readonly path: string
  readonly real: string
}

/** Joined once for all entries. */
export function prefixOf({ path, real }: QueuedFolder): PathPrefix {
  const prefix = childPath(path, '')
  return { path: prefix, real: real === path ? prefix : childPath(real, '') }
}

/**
 * An entry of a folder.
 * @param locator absent: the entry is a link, or lies below one
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
