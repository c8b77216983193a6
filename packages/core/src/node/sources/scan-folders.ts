import { existsSync, lstatSync, readdirSync, realpathSync, statSync, type Dirent } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { SkillVisitor } from '../../ports/source.ts'
import { beginTimeSlice } from '../../time-limit.ts'
import { explainOpenError } from '../folder/open-error.ts'
import { MANIFEST_NAME, childPath, isManifestName } from '../folder/names.ts'
import type { ReadRules } from '../folder/reading.ts'
import { readKnownOrigins } from './known-origins.ts'
import { createManifestVisit, type ManifestVisit, type OriginOf, type ScannedFolder } from './manifest-visit.ts'
import { rootMissing, rootWithoutSkills } from './report-sources.ts'
import {
  depthReached,
  foldersReached,
  linkedFolder,
  omit,
  rootLinked,
  rootNotAFolder,
  seenBefore,
  unreadableFolder,
  untrusted,
  type Omitted,
  type Report,
} from './scan-report.ts'

/** The settings of a folder scan, already validated. */
interface ScanSettings {
  /** Absolute. */
  readonly root: string
  readonly depth: number
  readonly hidden: boolean
  readonly maxFolders: number
  readonly followLinks: boolean
  readonly trusted: boolean
  readonly rules: Required<ReadRules>
  /** Whether a root that is missing or holds no skill is passed over silently. */
  readonly optional: boolean
  /** The real roots of other sources: a link to a folder in one of them loses nothing. Absent: none are known. */
  readonly otherRoots?: ReadonlySet<string> | undefined
}

/** A scan in progress. */
interface FolderScan {
  readonly settings: ScanSettings
  readonly report: Report
  readonly manifests: ManifestVisit
  readonly queue: ScanQueue
  /** Folders that were searched, by device and inode. Undefined if links are not followed: then none can occur twice. */
  readonly seen: Set<string> | undefined
  readonly tooDeep: Omitted
  /** `isEmpty`: no skill was found so far, and nothing that explains it. */
  readonly outcome: { isEmpty: boolean }
}

/**
 * Searches a root and the folders below it, level by level, each level sorted by name in code-unit order, so that a deep
 * tree cannot use up the limit before its siblings are searched. Targets of links come after everything that is reached
 * without a link, and every folder is searched once.
 *
 * Synchronous calls and one shared buffer: for thousands of small files that is many times faster than promises.
 */
export async function scanFolders(settings: ScanSettings, visitor: SkillVisitor): Promise<void> {
  const { root: path, depth, maxFolders, followLinks, optional } = settings
  const outcome = { isEmpty: true }
  const report: Report = (finding) => {
    if (finding.severity !== 'info') outcome.isEmpty = false
    visitor.diagnostic(finding)
  }
  const root = openRoot(settings, report)
  if (root === undefined) return
  const manifests = createManifestVisit(visitor, report, settings.rules, originsBelow(root))
  const queue = createScanQueue(maxFolders)
  const seen = followLinks ? new Set<string>() : undefined
  const scan: FolderScan = { settings, report, manifests, queue, seen, tooDeep: { first: '', count: 0 }, outcome }
  const slice = beginTimeSlice()
  searchFolder(root, scan)
  // Both lists grow meanwhile: what is in a link's target comes before the next link.
  const { folders, links } = queue
  for (let folder = 0, link = 0; folder < folders.length || link < links.length;) {
    const next = folder < folders.length ? folders[folder++] : followLink(links[link++]!, scan)
    if (next !== undefined) searchFolder(next, scan)
    await slice.pause()
  }
  manifests.end()
  if (scan.tooDeep.count > 0) report(depthReached(scan.tooDeep, depth))
  if (queue.omitted.count > 0) report(foldersReached(queue.omitted, path, maxFolders))
  if (outcome.isEmpty && !optional) report(rootWithoutSkills(path))
}

function searchFolder(folder: QueuedFolder, scan: FolderScan): void {
  const { settings, report, manifests, queue, tooDeep, outcome } = scan
  if (!isNew(folder, scan)) return
  const { depth } = settings
  const isDeepest = folder.level >= depth
  if (isDeepest && manifests.visitUnlisted(folder)) {
    outcome.isEmpty = false
    return
  }
  const entries = readEntries(folder, report)
  if (entries === undefined) return
  const { spellings, names, links } = sortEntries(entries, settings)
  const isSkill = manifests.visitListed(folder, spellings)
  if (isSkill) outcome.isEmpty = false
  if (!isDeepest) queue.add(folder, names.toSorted(), links, folder.inSkill || (isSkill && folder.level > 0))
  else if (depth > 1 && names.length > links.size && !isSkill && !folder.inSkill) omit(tooDeep, folder.path)
}

/** What is known of where the skills directly below a root were installed from. */
function originsBelow({ real }: QueuedFolder): OriginOf {
  const origins = readKnownOrigins(real)
  return (folder) => (origins.size > 0 && dirname(folder) === real ? origins.get(basename(folder)) : undefined)
}

interface SortedEntries {
  /** Names that are a spelling of SKILL.md. */
  readonly spellings: readonly string[]
  /** Folders and links that have to be searched. */
  readonly names: readonly string[]
  /** The `names` that are links. */
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
    if ((!isFolder && !entry.isSymbolicLink()) || isSkipped(name, settings)) continue
    names.push(name)
    if (!isFolder) links.add(name)
  }
  return { spellings, names, links }
}

/** Returns the folder that a link leads to, if it has to be searched; otherwise reports the link. */
function followLink(link: QueuedFolder, { settings, report }: FolderScan): QueuedFolder | undefined {
  let target: string | undefined
  try {
    if (!statSync(link.real).isDirectory()) return undefined
    target = realpathSync.native(link.real)
  } catch {
    // It is broken, circular, or leads to a folder without access.
  }
  if (settings.followLinks && target !== undefined) return { ...link, real: target }
  if (target !== undefined && settings.otherRoots?.has(dirname(target)) === true) {
    report(seenBefore(link.path))
    return undefined
  }
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

/** Returns the root as the first folder; undefined if there is nothing to search, with the reason reported if it matters. */
function openRoot({ root, trusted, optional }: ScanSettings, report: Report): QueuedFolder | undefined {
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
    return { name: basename(root), path: root, real, linked: false, level: 0, inSkill: false }
  } catch (error) {
    const failure = explainOpenError(error, root)
    if (failure.kind !== 'missing') report(unreadableFolder(root, failure))
    else if (!optional) report(rootMissing(root))
    return undefined
  }
}

function readEntries(folder: QueuedFolder, report: Report): Dirent[] | undefined {
  try {
    return readdirSync(folder.real, { withFileTypes: true })
  } catch (error) {
    const failure = explainOpenError(error, folder.real)
    // A folder may be deleted during the scan. A name that is not UTF-8 is decoded with U+FFFD and cannot be opened.
    if (failure.kind !== 'missing' || folder.name.includes('\uFFFD')) report(unreadableFolder(folder.path, failure))
    return undefined
  }
}

function isSkipped(name: string, { hidden }: ScanSettings): boolean {
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

/** A folder that a scan has to search. */
interface QueuedFolder extends ScannedFolder {
  /** The depth below the root. */
  readonly level: number
  /** Whether it is inside a skill's folder: its links are that skill's resources, not skills. */
  readonly inSkill: boolean
}

/** The folders that a scan still has to search. */
interface ScanQueue {
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
function createScanQueue(maxFolders: number): ScanQueue {
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
