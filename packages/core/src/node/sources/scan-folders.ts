import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import type { Dirent } from 'node:fs'
import { basename } from 'node:path'
import type { SkillVisitor } from '../../ports/source.ts'
import { childPath } from '../folder/child-path.ts'
import { explainOpenError } from '../folder/open-failure.ts'
import type { ReadRules } from '../folder/reading.ts'
import { createManifestVisit } from './manifest-visit.ts'
import type { ManifestVisit } from './manifest-visit.ts'
import { isManifestName, MANIFEST_NAME } from '../folder/manifest-name.ts'
import type { QueuedFolder } from './queued-folder.ts'
import { createScanQueue } from './scan-queue.ts'
import type { ScanQueue } from './scan-queue.ts'
import {
  depthReached,
  foldersReached,
  linkedFolder,
  omit,
  reportTo,
  rootLinked,
  rootNotAFolder,
  seenBefore,
  unreadableFolder,
  untrusted,
} from './scan-report.ts'
import type { Omitted, Report } from './scan-report.ts'
import { createTimeSlice } from './time-slice.ts'

/** The settings of a scan of folders. All of it is checked before. */
export interface ScanSettings {
  /** Absolute. */
  readonly root: string
  readonly depth: number
  readonly hidden: boolean
  readonly maxFolders: number
  readonly followLinks: boolean
  readonly trusted: boolean
  readonly rules: Required<ReadRules>
}

/** A scan that is going on. */
interface FolderScan {
  readonly settings: ScanSettings
  readonly report: Report
  readonly manifests: ManifestVisit
  readonly queue: ScanQueue
  /** Folders that were looked into, by device and inode. Where no link is followed none can come twice. */
  readonly seen: Set<string> | undefined
  readonly tooDeep: Omitted
}

/**
 * Looks into a root and the folders below it, level by level, each level in the order of names by code units, so that
 * a deep tree never keeps its neighbours from being seen. What links lead to comes after all that needs no link, and
 * every folder is looked into once.
 *
 * Synchronous calls and one shared buffer: for thousands of small files that is many times faster than promises.
 */
export async function scanFolders(settings: ScanSettings, visitor: SkillVisitor): Promise<void> {
  const { depth, maxFolders, followLinks } = settings
  const report = reportTo(visitor)
  const root = openRoot(settings, report)
  if (root === undefined) return
  const manifests = createManifestVisit(visitor, report, settings.rules)
  const queue = createScanQueue(maxFolders, ({ path, real }) => manifests.locator(path, real))
  const seen = followLinks ? new Set<string>() : undefined
  const scan: FolderScan = { settings, report, manifests, queue, seen, tooDeep: { first: '', count: 0 } }
  const slice = createTimeSlice()
  lookInto(root, scan)
  while (!queue.isEmpty()) {
    const folder = queue.nextFolder() ?? followLink(queue.nextLink()!, scan)
    if (folder !== undefined) lookInto(folder, scan)
    if (slice.isUsedUp()) await slice.rest()
  }
  manifests.end()
  if (scan.tooDeep.count > 0) report(depthReached(scan.tooDeep, depth))
  if (queue.omitted.count > 0) report(foldersReached(queue.omitted, settings.root, maxFolders))
}

function lookInto(folder: QueuedFolder, scan: FolderScan): void {
  const { settings, report, manifests, queue, tooDeep } = scan
  if (!isNew(folder, scan)) return
  const { depth } = settings
  const atBottom = folder.level >= depth
  if (atBottom && manifests.visitUnlisted(folder)) return
  const entries = readEntries(folder, report)
  if (entries === undefined) return
  const { spellings, names, links } = sortEntries(entries, settings)
  const isSkill = manifests.visitListed(folder, spellings)
  if (!atBottom) queue.add(folder, names.toSorted(), links, folder.inSkill || (isSkill && folder.level > 0))
  else if (depth > 1 && names.length > links.size && !isSkill && !folder.inSkill) omit(tooDeep, folder.path)
}

interface SortedEntries {
  /** Names that are SKILL.md in some spelling. */
  readonly spellings: readonly string[]
  /** Folders and links that are to be looked into. */
  readonly names: readonly string[]
  /** Those of `names` that are links. */
  readonly links: ReadonlySet<string>
}

function sortEntries(entries: readonly Dirent[], settings: ScanSettings): SortedEntries {
  const spellings: string[] = []
  const names: string[] = []
  const links = new Set<string>()
  for (let index = 0; index < entries.length; index++) {
    const entry = entries[index]!
    const { name } = entry
    if (isManifestName(name)) spellings.push(name)
    const isFolder = entry.isDirectory()
    if ((!isFolder && !entry.isSymbolicLink()) || isPassedOver(name, settings)) continue
    names.push(name)
    if (!isFolder) links.add(name)
  }
  return { spellings, names, links }
}

/** The folder that a link leads to, if it is to be looked into. */
function followLink(link: QueuedFolder, { settings, report }: FolderScan): QueuedFolder | undefined {
  let target: string | undefined
  try {
    if (!statSync(link.real).isDirectory()) return undefined
    target = realpathSync.native(link.real)
  } catch {
    // It leads nowhere, in a circle, or where we may not go.
  }
  if (settings.followLinks && target !== undefined) return { ...link, real: target }
  const leadsTo =
    target === undefined ? 'nowhere' : existsSync(childPath(link.real, MANIFEST_NAME)) ? 'a skill' : 'a folder'
  report(linkedFolder(link.path, leadsTo))
  return undefined
}

function isNew(folder: QueuedFolder, { seen, report }: FolderScan): boolean {
  if (seen === undefined) return true
  const id = folderId(folder.real)
  if (id === undefined) return true
  if (seen.has(id)) {
    if (folder.linked) report(seenBefore(folder.path))
    return false
  }
  seen.add(id)
  return true
}

/** The root as the first folder. Undefined: there is nothing to look into, and the reason was reported if it matters. */
function openRoot({ root, trusted }: ScanSettings, report: Report): QueuedFolder | undefined {
  try {
    const real = realpathSync.native(root)
    if (!statSync(real).isDirectory()) {
      report(rootNotAFolder(root))
      return undefined
    }
    if (!trusted) {
      report(untrusted(root))
      return undefined
    }
    if (lstatSync(root).isSymbolicLink()) report(rootLinked(root, real))
    return { name: basename(root), path: root, real, linked: false, locator: undefined, level: 0, inSkill: false }
  } catch (error) {
    const failure = explainOpenError(error, root)
    if (failure.kind !== 'missing') report(unreadableFolder(root, failure))
    return undefined
  }
}

function readEntries(folder: QueuedFolder, report: Report): Dirent[] | undefined {
  try {
    return readdirSync(folder.real, { withFileTypes: true })
  } catch (error) {
    const failure = explainOpenError(error, folder.real)
    // A folder may be deleted during the scan. A name that is not UTF-8 cannot be opened by the name that we were given.
    if (failure.kind !== 'missing' || folder.name.includes('\uFFFD')) report(unreadableFolder(folder.path, failure))
    return undefined
  }
}

function isPassedOver(name: string, { hidden }: ScanSettings): boolean {
  return name === '.git' || name === 'node_modules' || (!hidden && name.startsWith('.'))
}

function folderId(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true })
    return `${dev}:${ino}`
  } catch {
    return undefined
  }
}
