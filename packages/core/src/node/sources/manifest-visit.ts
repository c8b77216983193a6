import { closeSync, existsSync, lstatSync, readdirSync, readSync } from 'node:fs'
import { sep } from 'node:path'
import { AGENT_FILE, type Diagnostic, HEAD_BYTES, MAX_FRONTMATTER_BYTES } from '@repertoire/skill-md/internal'
import { searchLater } from '../../catalog/scan-sources.ts'
import type { SkillVisitor } from '../../ports/source.ts'
import { OpenError } from '../folder/open-error.ts'
import { MANIFEST_NAME, childPath, isManifestName } from '../folder/names.ts'
import type { ReadRules } from '../folder/reading.ts'
import { type OpenFile, openRegularFile } from '../folder/safe-open.ts'
import { createSkillFolder } from '../folder/skill.ts'
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

const AGENT_FILE_BELOW = sep + AGENT_FILE.replace('/', sep)

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
      if (!(error instanceof OpenError)) throw error
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
        hasAgentFile: existsSync(real + AGENT_FILE_BELOW),
        head: (length) => reader.head(number, length),
        origin,
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

/**
 * Reads the beginnings of manifests, one after the other, into one shared buffer: a separate buffer for each file takes
 * nearly twice as long.
 */
interface HeadReader {
  /**
   * Starts the visit of a file and ends the previous one. Reads the first bytes at once, so that an unreadable file is
   * noticed before the visitor gets it. The caller closes the descriptor.
   * @returns the number of this visit, to be passed to `head`
   */
  begin(file: OpenFile): number
  /** Does what `FoundSkill.head` does. @throws {TypeError} after the visit, or if the length is not a number of bytes */
  head(visit: number, length: number): Uint8Array
  /** Returns the error that ended the read early, if any: the file then appears to end there. */
  failure(): unknown
  /** Ends the visit. */
  end(): void
}

/** Returns a reader for the manifests of one scan. */
function createHeadReader(): HeadReader {
  let bytes = new Uint8Array(MAX_FRONTMATTER_BYTES)
  let view = bytes
  let visit = 0
  let isOpen = false
  let fd = -1
  let size = 0
  let filled = 0
  let failure: unknown

  const fill = (length: number): void => {
    if (bytes.length < length) {
      const larger = new Uint8Array(length)
      larger.set(bytes.subarray(0, filled))
      bytes = larger
    }
    try {
      let bytesRead = -1
      while (filled < length && bytesRead !== 0) {
        bytesRead = readSync(fd, bytes, filled, length - filled, filled)
        filled += bytesRead
      }
    } catch (error) {
      failure = error
    }
  }

  return {
    begin(file) {
      fd = file.fd
      size = file.stats.size
      filled = 0
      failure = undefined
      isOpen = true
      // At least one byte: a virtual file of the kernel reports the size 0.
      fill(Math.max(1, Math.min(HEAD_BYTES, size)))
      return ++visit
    },
    head(ofVisit, length) {
      if (!isOpen || ofVisit !== visit)
        throw new TypeError('head() belongs to the visit. To read later, use the folder.')
      if (!Number.isSafeInteger(length) || length < 0) throw new TypeError('head() takes a number of bytes.')
      const wanted = Math.min(length, size)
      if (wanted > filled && failure === undefined) fill(wanted)
      const available = Math.min(filled, wanted)
      // Most manifests are longer than the requested length, so one view can be used for many of them.
      if (view.length !== available || view.buffer !== bytes.buffer) view = new Uint8Array(bytes.buffer, 0, available)
      return view
    },
    failure: () => failure,
    end() {
      isOpen = false
    },
  }
}
