import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import type { Dirent } from 'node:fs'
import { basename } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'
import type { SkillVisitor } from '../../ports/source.ts'
import { childPath } from '../folder/child-path.ts'
import { isManifestName } from '../folder/manifest-name.ts'
import { createManifestVisit } from './visit-manifest.ts'
import { explainOpenError } from '../folder/open-failure.ts'
import {
  depthReached,
  foldersReached,
  linkedFolder,
  reportTo,
  rootLinked,
  rootNotAFolder,
  seenBefore,
  unreadableFolder,
  untrusted,
} from './scan-report.ts'
import { beginningOf, placeIn } from './scan-position.ts'
import type { Place } from './scan-position.ts'
import type { Omitted, Report } from './scan-report.ts'
import type { ReadRules } from '../folder/reading.ts'

/** What a scan of folders is told. All of it is checked before. */
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

/** Folders of one folder that are to be looked into. Names alone: of a hundred thousand, only one is a place at a time. */
interface Siblings {
  readonly parent: Place
  /** In the order of the visit. */
  readonly names: readonly string[]
  readonly inSkill: boolean
}

// So much work is done before the event loop has its turn, in milliseconds. The clock is read every few folders.
const SLICE = 8
const FOLDERS_A_LOOK = 4

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
  const plain: Siblings[] = []
  const links: Place[] = []
  const seen = new Set<string>()
  const tooDeep: Omitted = { first: '', count: 0 }
  const tooMany: Omitted = { first: '', count: 0 }
  let room = maxFolders

  const lookInto = (place: Place): void => {
    const atBottom = place.level >= depth
    if (atBottom && manifests.unlisted(place)) return
    const entries = readEntries(place, report)
    if (entries === undefined) return
    const spellings: string[] = []
    const names: string[] = []
    const linked = new Set<string>()
    let holdsFolders = false
    for (let index = 0; index < entries.length; index++) {
      const entry = entries[index]!
      const { name } = entry
      if (isManifestName(name)) spellings.push(name)
      const isFolder = entry.isDirectory()
      if ((!isFolder && !entry.isSymbolicLink()) || isPassedOver(name, settings)) continue
      names.push(name)
      if (isFolder) holdsFolders = true
      else linked.add(name)
    }
    const isSkill = manifests.listed(place, spellings)
    if (!atBottom) add(place, names.toSorted(), linked, place.inSkill || (isSkill && place.level > 0))
    else if (depth > 1 && holdsFolders && !isSkill && !place.inSkill) omit(tooDeep, place.path)
  }

  const add = (parent: Place, names: readonly string[], linked: ReadonlySet<string>, inSkill: boolean): void => {
    if (linked.size === 0 && names.length <= room) {
      room -= names.length
      if (names.length > 0) plain.push({ parent, names, inSkill })
      return
    }
    const folders: string[] = []
    for (const name of names) {
      const isLink = linked.has(name)
      if (isLink && inSkill) continue
      if (room === 0) {
        omit(tooMany, childPath(parent.path, name))
        continue
      }
      room--
      if (isLink) links.push(placeIn(parent, beginningOf(parent), name, inSkill, undefined))
      else folders.push(name)
    }
    if (folders.length > 0) plain.push({ parent, names: folders, inSkill })
  }

  /** The place that a link leads to, if it is to be looked into. */
  const follow = (link: Place): Place | undefined => {
    let target: string | undefined
    try {
      if (!statSync(link.real).isDirectory()) return undefined
      target = realpathSync.native(link.real)
    } catch {
      // It leads nowhere, in a circle, or where we may not go.
    }
    if (followLinks && target !== undefined) return { ...link, real: target }
    const leadsTo =
      target === undefined ? 'nowhere' : existsSync(childPath(link.real, 'SKILL.md')) ? 'a skill' : 'a folder'
    report(linkedFolder(link.path, leadsTo))
    return undefined
  }

  const isNew = (place: Place): boolean => {
    if (!followLinks) return true
    const id = folderId(place.real)
    if (id !== undefined && seen.has(id)) {
      if (place.linked) report(seenBefore(place.path))
      return false
    }
    if (id !== undefined) seen.add(id)
    return true
  }

  let since = performance.now()
  let looks = 0
  const isTired = (): boolean => ++looks % FOLDERS_A_LOOK === 0 && performance.now() - since > SLICE
  const rest = async (): Promise<void> => {
    await setImmediate()
    since = performance.now()
  }

  if (isNew(root)) lookInto(root)
  for (let nextPlain = 0, nextLink = 0; nextPlain < plain.length || nextLink < links.length;) {
    // What a link led to may hold folders without one: they go first again.
    if (nextPlain < plain.length) {
      const { parent, names, inSkill } = plain[nextPlain++]!
      const beginning = beginningOf(parent)
      const shelf = parent.linked ? undefined : manifests.shelf(beginning.path, beginning.real)
      for (let index = 0; index < names.length; index++) {
        const place = placeIn(parent, beginning, names[index]!, inSkill, shelf)
        if (isNew(place)) lookInto(place)
        if (isTired()) await rest()
      }
    } else {
      const place = follow(links[nextLink++]!)
      if (place !== undefined && isNew(place)) lookInto(place)
      if (isTired()) await rest()
    }
  }
  manifests.end()
  if (tooDeep.count > 0) report(depthReached(tooDeep, depth))
  if (tooMany.count > 0) report(foldersReached(tooMany, settings.root, maxFolders))
}

function omit(omitted: Omitted, path: string): void {
  if (omitted.count++ === 0) omitted.first = path
}

/** The root as the first place. Undefined: there is nothing to look into, and what is worth telling was told. */
function openRoot({ root, trusted }: ScanSettings, report: Report): Place | undefined {
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
    return { name: basename(root), path: root, real, linked: false, shelf: undefined, level: 0, inSkill: false }
  } catch (error) {
    const failure = explainOpenError(error, root)
    if (failure.kind !== 'missing') report(unreadableFolder(root, failure))
    return undefined
  }
}

function readEntries(place: Place, report: Report): Dirent[] | undefined {
  try {
    return readdirSync(place.real, { withFileTypes: true })
  } catch (error) {
    const failure = explainOpenError(error, place.real)
    // A folder may be deleted while we look. A name that is no UTF-8 cannot be opened under the name we were told.
    if (failure.kind !== 'missing' || place.name.includes('\uFFFD')) report(unreadableFolder(place.path, failure))
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
