import { closeSync, lstatSync } from 'node:fs'
import { sep } from 'node:path'
import { fastVisitOf } from '../../catalog/fast-visit.ts'
import type { SkillLocator } from '../../catalog/fast-visit.ts'
import type { FoundSkill, SkillVisitor } from '../../ports/source.ts'
import { childPath } from '../folder/child-path.ts'
import { OpenFailure } from '../folder/open-failure.ts'
import type { Access, ReadRules } from '../folder/reading.ts'
import { openRegularFile } from '../folder/safe-open.ts'
import type { OpenFile } from '../folder/safe-open.ts'
import { createSkillFolder } from '../folder/skill.ts'
import { createHeadReader } from './manifest-head.ts'
import type { HeadReader } from './manifest-head.ts'
import { MANIFEST_NAME } from '../folder/manifest-name.ts'
import { createUncheckedFolders, hasOtherSpelling } from './other-spellings.ts'
import { otherSpelling, refusedManifest, unreadableFolder, unreadableManifest } from './scan-report.ts'
import type { Report } from './scan-report.ts'

/** A folder that a scan has reached. */
export interface ScannedFolder {
  /** The name of the folder, or of the link that led to it. */
  readonly name: string
  /** The path by which the scan reached it, used in diagnostics. */
  readonly path: string
  /** The path with links resolved. */
  readonly real: string
  /** Whether a link led here. */
  readonly linked: boolean
  /** Locates it in its parent folder. Absent: a link led here, or it is the root. */
  readonly locator?: SkillLocator | undefined
}

/** Passes the manifests of folders to a visitor. */
export interface ManifestVisit {
  /** Visits one of the spellings of SKILL.md that a folder's listing contains. Returns false if there are none. */
  visitListed(folder: ScannedFolder, spellings: readonly string[]): boolean
  /**
   * Visits the SKILL.md of a folder without listing the folder, which is faster. Returns false if the folder must be
   * listed, since it holds no SKILL.md, or also `skill.md`.
   */
  visitUnlisted(folder: ScannedFolder): boolean
  /**
   * Returns the locator of all folders in one parent folder.
   * @param path the prefix of their paths
   * @param real the prefix of their paths with links resolved
   */
  locator(path: string, real: string): SkillLocator
  /** Ends the scan: the postponed search for other spellings is passed to the visitor. */
  end(): void
}

/** Returns where the skill in a folder was installed from, by the folder's real path; undefined where it is not known. */
export type OriginOf = (real: string) => string | undefined

const MANIFEST_BELOW = sep + MANIFEST_NAME

/** A candidate of a scan. */
interface ScannedSkill extends FoundSkill {
  readonly reader: HeadReader
  /** The number of the reader's visit. */
  readonly visit: number
}

/** Called once for each scan. */
export function createManifestVisit(
  visitor: SkillVisitor,
  report: Report,
  rules: Required<ReadRules>,
  originOf: OriginOf,
): ManifestVisit {
  const fast = fastVisitOf(visitor)
  const reader = createHeadReader()
  const standardAccess = { ...rules, fileName: MANIFEST_NAME }
  const unchecked = createUncheckedFolders()
  /** A device whose file system is known to be case-sensitive. */
  let caseSensitiveDevice: number | undefined

  /**
   * @param real the file's path with links resolved
   * @returns false: there is no such file, or it may have another name. For a refused manifest, which is reported, true.
   */
  const visit = (folder: ScannedFolder, fileName: string, real: string, isListed: boolean): boolean => {
    let file: OpenFile
    try {
      file = openRegularFile(real)
    } catch (error) {
      if (!(error instanceof OpenFailure)) throw error
      if (error.kind === 'missing') return false
      const isClosed = error.kind === 'denied' && !canEnter(folder, fileName)
      const path = childPath(folder.path, fileName)
      report(isClosed ? unreadableFolder(folder.path, error) : refusedManifest(path, error))
      return true
    }
    try {
      const { dev } = file.stats
      if (!isListed && dev !== caseSensitiveDevice) {
        if (hasOtherSpelling(folder.real)) return false
        caseSensitiveDevice = dev
      }
      show(folder, fileName, file)
    } finally {
      reader.end()
      closeSync(file.fd)
    }
    return true
  }

  const show = (folder: ScannedFolder, fileName: string, file: OpenFile): void => {
    const number = reader.begin(file)
    // The path is rarely read: engines keep a concatenation as its two parts until then, and one of them exists anyway.
    // Only the root of a file system, which has no name, ends in a separator.
    const path =
      fileName === MANIFEST_NAME && folder.name !== '' ? folder.path + MANIFEST_BELOW : childPath(folder.path, fileName)
    if (reader.failure() === undefined) {
      const { name, path: found, real, linked } = folder
      const access = fileName === MANIFEST_NAME ? standardAccess : { ...rules, fileName }
      const origin = originOf(real)
      const skill: ScannedSkill = {
        // The target of a link may change: people and models are shown the path that is really read.
        folder: createSkillFolder(linked ? real : found, real, found, access),
        folderName: name,
        path,
        fileName,
        size: file.stats.size,
        head,
        reader,
        visit: number,
        ...(origin !== undefined && { origin }),
      }
      if (fast === undefined) visitor.skill(skill)
      else fast.skill(skill, fileName === MANIFEST_NAME ? folder.locator : undefined)
    }
    if (reader.failure() !== undefined) report(unreadableManifest(path, reader.failure()))
  }

  return {
    visitListed(folder, spellings) {
      const [first, ...rest] = spellings.includes(MANIFEST_NAME)
        ? [MANIFEST_NAME, ...spellings.filter((name) => name !== MANIFEST_NAME).toSorted()]
        : spellings.toSorted()
      if (first === undefined || !visit(folder, first, childPath(folder.real, first), true)) return false
      for (const spelling of rest) report(otherSpelling(folder.path, first, spelling))
      return true
    },
    visitUnlisted(folder) {
      // On a case-sensitive file system, a second spelling is another file, which can be reported later. Otherwise the
      // true spelling of the file must be known now.
      const isPostponed = fast?.later !== undefined && caseSensitiveDevice !== undefined
      if (!isPostponed && hasOtherSpelling(folder.real)) return false
      if (!visit(folder, MANIFEST_NAME, folder.real + MANIFEST_BELOW, false)) return false
      if (isPostponed) unchecked.add(folder)
      return true
    },
    locator: (path, real) => createLocator(path, real, standardAccess),
    end() {
      const search = unchecked.search()
      if (search !== undefined) fast?.later?.(search)
    },
  }
}

/** Returns a locator for folders that were reached without a link and hold a SKILL.md in exactly this spelling. */
function createLocator(path: string, real: string, access: Access): SkillLocator {
  const location = (name: string): string => path + name
  return {
    location,
    path: (name) => path + name + MANIFEST_BELOW,
    folder(name) {
      const found = location(name)
      return createSkillFolder(found, real === path ? found : real + name, found, access)
    },
  }
}

/** One function for all candidates: thousands of closures would cost time and memory. */
function head(this: ScannedSkill, length: number): Uint8Array {
  return this.reader.head(this.visit, length)
}

/** Whether the folder can be entered, which means that access is denied to the file and not to the folder. */
function canEnter(folder: ScannedFolder, fileName: string): boolean {
  try {
    lstatSync(childPath(folder.real, fileName))
    return true
  } catch {
    return false
  }
}
