import { closeSync, lstatSync } from 'node:fs'
import { sep } from 'node:path'
import { fastVisitOf } from '../../catalog/fast-visit.ts'
import type { SkillLocator } from '../../catalog/fast-visit.ts'
import type { FoundSkill, SkillVisitor } from '../../ports/source.ts'
import { childPath } from '../folder/child-path.ts'
import { hashCharacters } from '../folder/file-hasher.ts'
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

/** A folder that a scan has come to. */
export interface ScannedFolder {
  /** The folder's own name, or that of the link that led to it. */
  readonly name: string
  /** The path by which the scan came here: what diagnostics name. */
  readonly path: string
  /** The path without links. */
  readonly real: string
  /** Whether a link led here. */
  readonly linked: boolean
  /** Finds it again among its neighbours. Absent: a link led here, or it is the root. */
  readonly locator?: SkillLocator | undefined
}

/** Shows the manifests of folders to a visitor. */
export interface ManifestVisit {
  /** Shows one of the spellings of SKILL.md that a folder was found to hold. Returns false if there are none. */
  visitListed(folder: ScannedFolder, spellings: readonly string[]): boolean
  /**
   * Shows the SKILL.md of a folder that was not listed: to open it is quicker. Returns false if the folder must be
   * listed, since it holds no SKILL.md, or `skill.md` too.
   */
  visitUnlisted(folder: ScannedFolder): boolean
  /**
   * The locator of all folders of one folder.
   * @param path what their paths begin with
   * @param real what their paths without links begin with
   */
  locator(path: string, real: string): SkillLocator
  /** Ends the scan: a search that was put off is handed to the visitor. */
  end(): void
}

const MANIFEST_BELOW = sep + MANIFEST_NAME

/** A candidate of a scan. */
interface ScannedSkill extends FoundSkill {
  readonly reader: HeadReader
  /** Which of the reader's visits this is. */
  readonly visit: number
}

/** Made once for a scan. */
export function createManifestVisit(visitor: SkillVisitor, report: Report, rules: Required<ReadRules>): ManifestVisit {
  const fast = fastVisitOf(visitor)
  const reader = createHeadReader()
  const usual = { ...rules, fileName: MANIFEST_NAME }
  const unchecked = createUncheckedFolders()
  /** The device that was seen to tell `skill.md` from `SKILL.md`. */
  let device: number | undefined

  /**
   * @param real the file's path
   * @returns false: there is no such file, or it may have another name. A manifest that is refused is there, and is
   * reported.
   */
  const visit = (folder: ScannedFolder, fileName: string, real: string, isListed: boolean): boolean => {
    let file: OpenFile
    try {
      file = openRegularFile(real)
    } catch (error) {
      if (!(error instanceof OpenFailure)) throw error
      if (error.kind === 'missing') return false
      const closed = error.kind === 'denied' && !canEnter(folder, fileName)
      const path = childPath(folder.path, fileName)
      report(closed ? unreadableFolder(folder.path, error) : refusedManifest(path, error))
      return true
    }
    try {
      const { dev } = file.stats
      if (!isListed && dev !== device) {
        if (hasOtherSpelling(folder.real)) return false
        device = dev
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
    // Few ask for it: until then it is no more than its two parts, of which the skill has the one anyway.
    // The root of a file system, which has no name, is all that ends in a separator.
    const path =
      fileName === MANIFEST_NAME && folder.name !== '' ? folder.path + MANIFEST_BELOW : childPath(folder.path, fileName)
    if (reader.failure() === undefined) {
      const { name, path: found, real, linked } = folder
      const access = fileName === MANIFEST_NAME ? usual : { ...rules, fileName }
      const skill: ScannedSkill = {
        // What a link leads to may change: people and models are shown what is really read.
        folder: createSkillFolder(linked ? real : found, real, found, access),
        folderName: name,
        path,
        fileName,
        size: file.stats.size,
        head,
        reader,
        visit: number,
      }
      if (fast === undefined) visitor.skill(skill)
      else fast.skill(skill, hashCharacters, fileName === MANIFEST_NAME ? folder.locator : undefined)
    }
    if (reader.failure() !== undefined) report(unreadableManifest(path, reader.failure()))
  }

  return {
    visitListed(folder, spellings) {
      const [first, ...others] = spellings.includes(MANIFEST_NAME)
        ? [MANIFEST_NAME, ...spellings.filter((name) => name !== MANIFEST_NAME).toSorted()]
        : spellings.toSorted()
      if (first === undefined || !visit(folder, first, childPath(folder.real, first), true)) return false
      for (const other of others) report(otherSpelling(folder.path, first, other))
      return true
    },
    visitUnlisted(folder) {
      // Which of two spellings is there matters at once where they are one name; that both are can be reported later.
      const isLater = fast?.later !== undefined && device !== undefined
      if (!isLater && hasOtherSpelling(folder.real)) return false
      if (!visit(folder, MANIFEST_NAME, folder.real + MANIFEST_BELOW, false)) return false
      if (isLater) unchecked.add(folder)
      return true
    },
    locator: (path, real) => createLocator(path, real, usual),
    end() {
      const search = unchecked.search()
      if (search !== undefined) fast?.later?.(search)
    },
  }
}

/** Of folders to which no link led, with a SKILL.md in that spelling. */
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

/** One function for all candidates: thousands of closures would take time and memory. */
function head(this: ScannedSkill, length: number): Uint8Array {
  return this.reader.head(this.visit, length)
}

/** Whether the folder can be entered, so that it is the file itself that is closed to us. */
function canEnter(folder: ScannedFolder, fileName: string): boolean {
  try {
    lstatSync(childPath(folder.real, fileName))
    return true
  } catch {
    return false
  }
}
