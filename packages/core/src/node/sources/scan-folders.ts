import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Diagnostic } from '@repertoire/skill-md/internal'
import type { FoundSkill } from '../../ports/source.ts'
import { readHead } from '../folder/head.ts'
import { abandonedLeftovers, STATE_FOLDER } from '../folder/leftovers.ts'
import { MANIFEST_NAME, childPath, isManifestName, isSearchedName } from '../folder/names.ts'
import { OpenError, explainOpenError } from '../folder/open-error.ts'
import type { ReadRules } from '../folder/reading.ts'
import { createSkillFolder } from '../folder/skill.ts'
import { compareWithLock } from './compare-lock.ts'
import { type Installed, readInstalled } from './installed.ts'
import { rootMissing, rootWithoutSkills } from './report-sources.ts'
import {
  depthReached,
  foldersReached,
  leftoverFound,
  linkedFolder,
  refusedManifest,
  rootNotAFolder,
  unreadableFolder,
  untrusted,
} from './scan-report.ts'
import { byText } from '../../text/order.ts'

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
  readonly optional: boolean
  /** The real roots of other sources: a link to a folder in one of them loses nothing. Absent: none are known. */
  readonly otherRoots?: ReadonlySet<string> | undefined
}

/** A folder that a scan has to search. */
interface ScannedFolder {
  /** The name of the folder, or of the link that led to it. */
  readonly name: string
  /** The path by which the scan reached it, used in diagnostics. */
  readonly path: string
  /** The path with links resolved. */
  readonly real: string
  readonly linked: boolean
  /** The depth below the root. */
  readonly level: number
  /** Whether it is inside a skill's folder: its links are that skill's resources, not skills. */
  readonly inSkill: boolean
}

type Found = FoundSkill | Diagnostic

/** Searches a root as its state demands: beside writers, and compared with a lock. */
export function scanRoot(settings: ScanSettings): Iterable<Found> | AsyncIterable<Found> {
  const { root, trusted } = settings
  const installed = trusted ? readInstalled(root) : undefined
  const isWrittenTo = existsSync(childPath(root, STATE_FOLDER))
  const found = isWrittenTo ? scanBesideWriters(settings, installed) : scanFolders(settings, installed)
  if (installed === undefined || (installed.locked.length === 0 && installed.brokenLock === undefined)) return found
  return scanLocked(root, installed, found)
}

async function* scanLocked(
  root: string,
  installed: Installed,
  all: Iterable<Found> | AsyncIterable<Found>,
): AsyncGenerator<Found> {
  const skills = new Map<string, FoundSkill>()
  for await (const found of all) {
    if ('folderName' in found && dirname(dirname(found.path)) === root) skills.set(found.folderName, found)
    yield found
  }
  yield* compareWithLock(root, installed, skills)
}

/** Searches a root and the folders below it. A root in which nothing is found is reported, unless it is optional. */
function* scanFolders(settings: ScanSettings, installed?: Installed): Generator<Found, void, undefined> {
  let isEmpty = true
  for (const found of searchFolders(settings, installed)) {
    isEmpty = false
    yield found
  }
  if (isEmpty && !settings.optional) yield rootWithoutSkills(settings.root)
}

/**
 * Searches level by level, each level sorted by name in code-unit order, so that a deep tree cannot use up the limit
 * before its siblings are searched. Targets of links come after everything that is reached without a link, and every
 * folder is searched once. The deepest folders are not listed: their SKILL.md is opened.
 *
 * Synchronous calls: for thousands of small files that is many times faster than promises.
 */
function* searchFolders(settings: ScanSettings, installed?: Installed): Generator<Found, void, undefined> {
  const { root: path, depth, maxFolders, followLinks } = settings
  const root = openRoot(settings)
  if (root === undefined || 'code' in root) {
    if (root !== undefined) yield root
    return
  }
  const findSkill = createSkillFinder(settings.rules, installed)
  // Both grow meanwhile: what is in a link's target comes before the next link.
  const folders: ScannedFolder[] = [root]
  const links: ScannedFolder[] = []
  const seen = new Set<string>()
  const tooDeep: string[] = []
  const omitted: string[] = []
  for (let folder = 0, link = 0; folder < folders.length || link < links.length;) {
    const current = folder < folders.length ? folders[folder++]! : followLink(links[link++]!, settings)
    if (current === undefined) continue
    if ('code' in current) {
      yield current
      continue
    }
    if (followLinks && seen.has(current.real)) continue
    if (followLinks) seen.add(current.real)
    const isDeepest = current.level >= depth
    const unlisted = isDeepest ? findSkill(current, MANIFEST_NAME) : undefined
    const entries = unlisted ?? listFolder(current, settings)
    if (entries === undefined) continue
    if (!('folders' in entries)) {
      yield entries
      continue
    }
    const skill = entries.manifest === undefined ? undefined : findSkill(current, entries.manifest)
    if (skill !== undefined) yield skill
    const inSkill = current.inSkill || (skill !== undefined && current.level > 0)
    if (isDeepest) {
      if (depth > 1 && !inSkill && entries.folders.some((entry) => entry.isDirectory())) tooDeep.push(current.path)
      continue
    }
    for (const entry of entries.folders) {
      const isLink = entry.isSymbolicLink()
      if (isLink && inSkill) continue
      const below = childPath(current.path, entry.name)
      if (folders.length + links.length > maxFolders) {
        omitted.push(below)
        continue
      }
      const real = current.real === current.path ? below : childPath(current.real, entry.name)
      const linked = isLink || current.linked
      const queue = isLink ? links : folders
      queue.push({ name: entry.name, path: below, real, linked, level: current.level + 1, inSkill })
    }
  }
  if (tooDeep.length > 0) yield depthReached(tooDeep, depth)
  if (omitted.length > 0) yield foldersReached(omitted, path, maxFolders)
}

/**
 * Scans a root in which skills are written meanwhile. A skill whose folder was between two places is looked at again,
 * and what a writer has left for good is an error.
 */
async function* scanBesideWriters(settings: ScanSettings, installed?: Installed): AsyncGenerator<Found> {
  const { root: path, depth, trusted, optional } = settings
  const seen = new Set<string>()
  let isEmpty = true
  for (const found of scanFolders({ ...settings, optional: true }, installed)) {
    if ('folderName' in found) seen.add(found.folderName)
    isEmpty = false
    yield found
  }
  const leftovers = trusted ? await abandonedLeftovers(path) : []
  for (const skill of depth > 0 && trusted ? findUnseen(settings, seen, installed) : []) {
    isEmpty = false
    yield skill
  }
  for (const leftover of leftovers) yield leftoverFound(path, leftover)
  if (isEmpty && leftovers.length === 0 && !optional) yield rootWithoutSkills(path)
}

function* findUnseen(settings: ScanSettings, seen: ReadonlySet<string>, installed?: Installed): Generator<FoundSkill> {
  const root = openRoot(settings)
  if (root === undefined || 'code' in root) return
  const entries = listFolder(root, settings)
  if (entries === undefined || 'code' in entries) return
  const findSkill = createSkillFinder(settings.rules, installed)
  for (const entry of entries.folders) {
    const { name } = entry
    if (seen.has(name) || entry.isSymbolicLink()) continue
    const at = { name, path: childPath(root.path, name), real: childPath(root.real, name), linked: root.linked }
    const skill = findSkill({ ...at, level: 1, inSkill: false }, MANIFEST_NAME)
    if (skill !== undefined && !('code' in skill)) yield skill
  }
}

/**
 * Returns a function that returns a folder's skill, or why its manifest was not read; undefined if there is no such
 * file.
 * @param installed what is known of the skills in the root
 */
function createSkillFinder(
  rules: Required<ReadRules>,
  installed: Installed | undefined,
): (folder: ScannedFolder, fileName: string) => Found | undefined {
  const standardAccess = { ...rules, fileName: MANIFEST_NAME }
  /** Where linked skills came from, by the folders that they are in. */
  const elsewhere = new Map<string, ReadonlyMap<string, string>>()
  const originOf = ({ name, real, linked, level }: ScannedFolder): string | undefined => {
    if (!linked) return level === 1 ? installed?.origins.get(name) : undefined
    const parent = dirname(real)
    const origins = elsewhere.get(parent) ?? readInstalled(parent).origins
    elsewhere.set(parent, origins)
    return origins.get(basename(real))
  }
  return (scanned, fileName) => {
    const { name, path: found, real, linked } = scanned
    const path = childPath(found, fileName)
    try {
      const { head, size } = readHead(real === found ? path : childPath(real, fileName))
      const access = fileName === MANIFEST_NAME ? standardAccess : { ...rules, fileName }
      // The target of a link may change: people and models are shown the path that is really read.
      const folder = createSkillFolder(linked ? real : found, real, found, access)
      return { folder, folderName: name, path, fileName, size, head, origin: originOf(scanned) }
    } catch (error) {
      if (!(error instanceof OpenError)) throw error
      if (error.kind === 'missing') return undefined
      const isClosed = error.kind === 'denied' && !canEnter(real, fileName)
      return isClosed ? unreadableFolder(found, error) : refusedManifest(path, error)
    }
  }
}

function canEnter(folder: string, fileName: string): boolean {
  try {
    lstatSync(childPath(folder, fileName))
    return true
  } catch {
    return false
  }
}

/** Returns the root as the first folder; undefined if there is nothing to search; or why it is not searched. */
function openRoot({ root, trusted, optional }: ScanSettings): ScannedFolder | Diagnostic | undefined {
  try {
    const real = realpathSync.native(root)
    if (!statSync(real).isDirectory()) return rootNotAFolder(root)
    if (!trusted) return untrusted(root)
    return { name: basename(root), path: root, real, linked: false, level: 0, inSkill: false }
  } catch (error) {
    const failure = explainOpenError(error, root)
    if (failure.kind !== 'missing') return unreadableFolder(root, failure)
    return optional ? undefined : rootMissing(root)
  }
}

/** Returns a folder's entries; undefined if it is gone; or why it cannot be listed. */
function listFolder({ name, path, real }: ScannedFolder, { hidden }: ScanSettings) {
  try {
    const entries = readdirSync(real, { withFileTypes: true })
    const manifests = entries.flatMap((entry) => (isManifestName(entry.name) ? [entry.name] : []))
    return {
      /** The name of its SKILL.md; if it has none, the first other spelling. */
      manifest: manifests.includes(MANIFEST_NAME) ? MANIFEST_NAME : manifests.toSorted()[0],
      /** Folders and links that have to be searched, sorted by name. */
      folders: entries
        .filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && isSearchedName(entry.name, hidden))
        .toSorted(byText((entry) => entry.name)),
    }
  } catch (error) {
    const failure = explainOpenError(error, real)
    // A name that is not UTF-8 is decoded with U+FFFD and cannot be opened.
    const isGone = failure.kind === 'missing' && !name.includes('\uFFFD')
    return isGone ? undefined : unreadableFolder(path, failure)
  }
}

/** Returns the folder that a link leads to; or why it is not searched; undefined if it leads to a file. */
function followLink(
  link: ScannedFolder,
  { followLinks, otherRoots }: ScanSettings,
): ScannedFolder | Diagnostic | undefined {
  let target: string
  try {
    if (!statSync(link.real).isDirectory()) return undefined
    target = realpathSync.native(link.real)
  } catch {
    // It is broken, circular, or leads to a folder without access.
    return linkedFolder(link.path, 'no folder that can be read')
  }
  if (followLinks) return { ...link, real: target }
  if (otherRoots?.has(dirname(target)) === true) return undefined
  return linkedFolder(link.path, existsSync(childPath(target, MANIFEST_NAME)) ? 'a skill' : 'a folder')
}
