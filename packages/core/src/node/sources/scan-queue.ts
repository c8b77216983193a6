import type { SkillLocator } from '../../catalog/fast-visit.ts'
import { childPath } from '../folder/child-path.ts'
import { childFolder, prefixOf } from './queued-folder.ts'
import type { PathPrefix, QueuedFolder } from './queued-folder.ts'
import { omit } from './scan-report.ts'
import type { Omitted } from './scan-report.ts'

/** Folders of one folder. Names alone: of a hundred thousand, only one is an object at a time. */
interface Siblings {
  readonly parent: QueuedFolder
  /** In the order of the visit. */
  readonly names: readonly string[]
  readonly inSkill: boolean
}

/** What a scan is still to look into: folders in the order in which they were added, then links. */
export interface ScanQueue {
  /** Adds the folders and links of a folder. @param links those of the names that are links */
  add(parent: QueuedFolder, names: readonly string[], links: ReadonlySet<string>, inSkill: boolean): void
  isEmpty(): boolean
  /** The next folder that needs no link. What a link led to may hold some: they go before the other links. */
  nextFolder(): QueuedFolder | undefined
  /** The next link, as a folder that is not followed yet. */
  nextLink(): QueuedFolder | undefined
  /** What was not added, since the bound was met. */
  readonly omitted: Omitted
}

/**
 * @param maxFolders that are added at most, links among them
 * @param createLocator for the entries of a folder to which no link led
 */
export function createScanQueue(maxFolders: number, createLocator: (prefix: PathPrefix) => SkillLocator): ScanQueue {
  const waiting: Siblings[] = []
  const links: QueuedFolder[] = []
  const omitted: Omitted = { first: '', count: 0 }
  let room = maxFolders
  let nextSiblings = 0
  let nextLink = 0

  let siblings: Siblings | undefined
  let prefix: PathPrefix = { path: '', real: '' }
  let locator: SkillLocator | undefined
  let nextName = 0

  return {
    omitted,
    isEmpty: () => siblings === undefined && nextSiblings === waiting.length && nextLink === links.length,
    nextFolder() {
      if (siblings === undefined) {
        if (nextSiblings === waiting.length) return undefined
        siblings = waiting[nextSiblings++]!
        prefix = prefixOf(siblings.parent)
        locator = siblings.parent.linked ? undefined : createLocator(prefix)
        nextName = 0
      }
      const { parent, names, inSkill } = siblings
      const folder = childFolder(parent, prefix, names[nextName++]!, inSkill, locator)
      if (nextName === names.length) siblings = undefined
      return folder
    },
    nextLink: () => links[nextLink++],
    add(parent, names, linked, inSkill) {
      if (linked.size === 0 && names.length <= room) {
        room -= names.length
        if (names.length > 0) waiting.push({ parent, names, inSkill })
        return
      }
      const folders: string[] = []
      for (const name of names) {
        const isLink = linked.has(name)
        if (isLink && inSkill) continue
        if (room === 0) {
          omit(omitted, childPath(parent.path, name))
          continue
        }
        room--
        if (isLink) links.push(childFolder(parent, prefixOf(parent), name, inSkill, undefined))
        else folders.push(name)
      }
      if (folders.length > 0) waiting.push({ parent, names: folders, inSkill })
    },
  }
}
