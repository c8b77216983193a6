import { childPath } from '../folder/names.ts'
import type { ScannedFolder } from './manifest-visit.ts'
import { omit, type Omitted } from './scan-report.ts'

/** A folder that a scan has to search. */
export interface QueuedFolder extends ScannedFolder {
  /** The depth below the root. */
  readonly level: number
  /** Whether it is inside a skill's folder: its links are that skill's resources, not skills. */
  readonly inSkill: boolean
}

/** The folders that a scan still has to search. */
export interface ScanQueue {
  /** In the order in which they were added. */
  readonly folders: readonly QueuedFolder[]
  /** Links, not yet resolved. They come after all folders, and after those inside the targets of earlier links. */
  readonly links: readonly QueuedFolder[]
  /** What was not added because the limit was reached. */
  readonly omitted: Omitted
  /** Adds the folders and links of a folder. @param linked the names that are links */
  add(parent: QueuedFolder, names: readonly string[], linked: ReadonlySet<string>, inSkill: boolean): void
}

/** @param maxFolders the most folders that are added, including links */
export function createScanQueue(maxFolders: number): ScanQueue {
  const folders: QueuedFolder[] = []
  const links: QueuedFolder[] = []
  const omitted: Omitted = { first: '', count: 0 }
  return {
    folders,
    links,
    omitted,
    add(parent, names, linked, inSkill) {
      for (const name of names) {
        const isLink = linked.has(name)
        if (isLink && inSkill) continue
        const path = childPath(parent.path, name)
        if (folders.length + links.length >= maxFolders) {
          omit(omitted, path)
          continue
        }
        const real = parent.real === parent.path ? path : childPath(parent.real, name)
        const queue = isLink ? links : folders
        queue.push({ name, path, real, linked: isLink || parent.linked, level: parent.level + 1, inSkill })
      }
    },
  }
}
