import { closeSync, existsSync, lstatSync, readdirSync } from 'node:fs'
import { sep } from 'node:path'
import { searchLater } from '../../catalog/late-search.ts'
import type { Diagnostic } from '@repertoire/skill-md/internal'
import type { SkillVisitor } from '../../ports/source.ts'
import { childPath, isManifestName, MANIFEST_NAME } from '../folder/names.ts'
import { OpenFailure } from '../folder/open-failure.ts'
import type { ReadRules } from '../folder/reading.ts'
import { type OpenFile, openRegularFile } from '../folder/safe-open.ts'
import { createSkillFolder } from '../folder/skill.ts'
import { createHeadReader } from './manifest-head.ts'
import { otherSpelling, refusedManifest, type Report, unreadableFolder, unreadableManifest } from './scan-report.ts'

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
  /** Ends the scan: the search for other spellings is left to the visitor. */
  end(): void
}

/** Returns where the skill in a folder was installed from, by the folder's real path; undefined where it is not known. */
export type OriginOf = (real: string) => string | undefined

// The only other spelling that occurs in practice. To find every spelling, all folders would have to be listed, which
// takes as long as reading them.
const OTHER_BELOW = `${sep}skill.md`

/** Called once for each scan. */
export function createManifestVisit(
  visitor: SkillVisitor,
  report: Report,
  rules: Required<ReadRules>,
  originOf: OriginOf,
): ManifestVisit {
  const reader = createHeadReader()
  const standardAccess = { ...rules, fileName: MANIFEST_NAME }
  /** The paths of folders with a SKILL.md that were not yet searched for other spellings. */
  const unchecked: string[] = []
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
    const path = childPath(folder.path, fileName)
    if (reader.failure() === undefined) {
      const { name, path: found, real, linked } = folder
      const access = fileName === MANIFEST_NAME ? standardAccess : { ...rules, fileName }
      const origin = originOf(real)
      visitor.skill({
        // The target of a link may change: people and models are shown the path that is really read.
        folder: createSkillFolder(linked ? real : found, real, found, access),
        folderName: name,
        path,
        fileName,
        size: file.stats.size,
        head: (length) => reader.head(number, length),
        ...(origin !== undefined && { origin }),
      })
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
      const isPostponed = caseSensitiveDevice !== undefined
      if (!isPostponed && hasOtherSpelling(folder.real)) return false
      if (!visit(folder, MANIFEST_NAME, childPath(folder.real, MANIFEST_NAME), false)) return false
      if (isPostponed) unchecked.push(folder.path)
      return true
    },
    end: () => searchLater(visitor, searchIn(unchecked)),
  }
}

/** Whether `skill.md` exists. A case-insensitive file system finds any spelling; only a listing shows the true name. */
function hasOtherSpelling(folder: string): boolean {
  // In the root of a file system this has two separators in a row, which count as one.
  return existsSync(folder + OTHER_BELOW)
}

/** Outside of the visit: a closure inside would keep the whole scan in memory. */
function searchIn(folders: readonly string[]): () => readonly Diagnostic[] {
  return () => folders.flatMap(otherSpellings)
}

/** Returns the diagnostics of a folder that holds SKILL.md and was not listed during the scan. */
function otherSpellings(path: string): readonly Diagnostic[] {
  if (!hasOtherSpelling(path)) return []
  try {
    const spellings = readdirSync(path).filter(isManifestName)
    if (!spellings.includes(MANIFEST_NAME)) return []
    const others = spellings.filter((name) => name !== MANIFEST_NAME)
    return others.toSorted().map((other) => otherSpelling(path, MANIFEST_NAME, other))
  } catch {
    // It was deleted meanwhile, or cannot be listed.
    return []
  }
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
