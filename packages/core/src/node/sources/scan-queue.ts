import type { SkillLocator } from '../../catalog/fast-visit.ts'
import { childPath } from '../folder/child-path.ts'
import { childFolder, prefixOf } from './queued-folder.ts'
import type { PathPrefix, QueuedFolder } from './queued-folder.ts'
import { omit } from './scan-report.ts'
import type { Omitted } from './scan-report.ts'

/** The folders in one folder. Names only: of a hundred thousand, only one is an object at a time. */
interface Siblings {
  readonly parent: QueuedFolder
  /** In the order of the visit. */
  readonly names: readonly string[]
  readonly inSkill: boolean
}

/** The folders that a scan still has to search: folders in the order in which they were added, then links. */
export interface ScanQueue {
  /** Adds the folders and links of a folder. @param links the names that are links */
  add(parent: QueuedFolder, names: readonly string[], links: ReadonlySet<string>, inSkill: boolean): void
  isEmpty(): boolean
  /** Returns the next folder that is not a link. Folders inside a link's target come before the remaining links. */
  nextFolder(): QueuedFolder | undefined
  /** Returns the next link, as a folder that is not yet resolved. */
  nextLink(): QueuedFolder | undefined
  /** What was not added because the limit was reached. */
  readonly omitted: Omitted
}

/**
 * @param maxFolders the most folders that are added, including links
 * @param createLocator makes the locator for the entries of a folder that was reached without a link
 */
export function createScanQueue(maxFolders: number, createLocator: (prefix: PathPrefix) => SkillLocator): ScanQueue {
  const queued: Siblings[] = []
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
    isEmpty: () => siblings === undefined && nextSiblings === queued.length && nextLink === links.length,
    nextFolder() {
      if (siblings === undefined) {
        if (nextSiblings === queued.length) return undefined
        siblings = queued[nextSiblings++]!
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
        if (names.length > 0) queued.push({ parent, names, inSkill })
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
      if (folders.length > 0) queued.push({ parent, names: folders, inSkill })
    },
  }
}
