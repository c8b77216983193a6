import { hash as hashOnce } from 'node:crypto'
import { closeSync, existsSync, lstatSync } from 'node:fs'
import { sep } from 'node:path'
import type { FoundSkill, SkillVisitor } from '../types.ts'
import { childPath } from './child-path.ts'
import { createHeadReader } from './manifest-head.ts'
import type { HeadReader } from './manifest-head.ts'
import { OpenFailure } from './open-failure.ts'
import { openRegularFile } from './safe-open.ts'
import type { OpenFile } from './safe-open.ts'
import { refusedManifest, unreadableFolder, unreadableManifest } from './scan-report.ts'
import type { Report } from './scan-report.ts'
import { createSkillFolder } from './skill-folder.ts'
import type { ReadRules } from './skill-reading.ts'

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
}

/** Shows the manifests of folders to a visitor. */
interface ManifestVisit {
  /** Shows one of the spellings of SKILL.md that a folder was found to hold. False: there is none. */
  listed(folder: ScannedFolder, spellings: readonly string[]): boolean
  /**
   * Shows the SKILL.md of a folder that was not listed: to open it is quicker. False: the folder must be listed,
   * since it holds no SKILL.md, or `skill.md` too.
   */
  unlisted(folder: ScannedFolder): boolean
}

const MANIFEST = 'SKILL.md'
const MANIFEST_BELOW = sep + MANIFEST
// The one other spelling that occurs. To see the rest of them beside SKILL.md, every folder would have to be listed,
// which takes as long as reading it.
const OTHER_SPELLING = 'skill.md'

/** Whether a file's name is SKILL.md in any spelling. */
export function isManifestName(name: string): boolean {
  return /^skill\.md$/i.test(name)
}

/** A candidate of a scan. */
interface ScannedSkill extends FoundSkill {
  readonly reader: HeadReader
  /** Which of the reader's visits this is. */
  readonly visit: number
}

/** Made once for a scan. */
export function createManifestVisit(visitor: SkillVisitor, report: Report, rules: Required<ReadRules>): ManifestVisit {
  const reader = createHeadReader()

  /** False: there is no such file. A manifest that is refused is reported, and there. */
  const visit = (folder: ScannedFolder, fileName: string): boolean => {
    let file: OpenFile
    try {
      file = openRegularFile(childPath(folder.real, fileName))
    } catch (error) {
      if (!(error instanceof OpenFailure)) throw error
      if (error.kind === 'missing') return false
      const closed = error.kind === 'denied' && !canEnter(folder, fileName)
      const path = childPath(folder.path, fileName)
      report(closed ? unreadableFolder(folder.path, error) : refusedManifest(path, error))
      return true
    }
    try {
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
    const path =
      fileName === MANIFEST && !folder.path.endsWith(sep)
        ? folder.path + MANIFEST_BELOW
        : childPath(folder.path, fileName)
    if (reader.failure() === undefined) {
      const { name, path: found, real, linked } = folder
      // What a link leads to may change: people and models are shown what is really read.
      const location = linked ? real : found
      const skill: ScannedSkill = {
        folder: createSkillFolder({ location, real, found, fileName }, rules),
        folderName: name,
        path,
        fileName,
        size: file.stats.size,
        head,
        hash,
        reader,
        visit: number,
      }
      visitor.skill(skill)
    }
    if (reader.failure() !== undefined) report(unreadableManifest(path, reader.failure()))
  }

  return {
    listed(folder, spellings) {
      const [first, ...others] = spellings.includes(MANIFEST)
        ? [MANIFEST, ...spellings.filter((name) => name !== MANIFEST).toSorted()]
        : spellings.toSorted()
      if (first === undefined || !visit(folder, first)) return false
      for (const other of others) {
        report({
          code: 'MANIFEST_SPELLINGS',
          severity: 'warning',
          path: childPath(folder.path, other),
          message: `${folder.path} holds both ${first} and ${other}, and only ${first} is read.`,
          hint: `Remove ${other}, or merge it into ${first}.`,
        })
      }
      return true
    },
    // A file system that ignores case finds every spelling; then the folder's list knows the true name.
    unlisted: (folder) => !existsSync(childPath(folder.real, OTHER_SPELLING)) && visit(folder, MANIFEST),
  }
}

/** One function for all candidates: thousands of closures would take time and memory. */
function head(this: ScannedSkill, length: number): Uint8Array {
  return this.reader.head(this.visit, length)
}

/** In Latin-1, which keeps one byte a character. */
function hash(bytes: Uint8Array): string {
  return hashOnce('sha256', bytes, 'binary')
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
