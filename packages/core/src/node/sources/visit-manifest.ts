import { closeSync, existsSync, lstatSync, readdirSync } from 'node:fs'
import { sep } from 'node:path'
import type { Diagnostic } from '../../ports/diagnostic.ts'
import type { FoundSkill, SkillLocator, SkillVisitor } from '../../ports/source.ts'
import { childPath } from '../folder/child-path.ts'
import { hashCharacters } from '../folder/file-hasher.ts'
import { createHeadReader } from './manifest-head.ts'
import type { HeadReader } from './manifest-head.ts'
import { isManifestName, MANIFEST_NAME } from '../folder/manifest-name.ts'
import { OpenFailure } from '../folder/open-failure.ts'
import { openRegularFile } from '../folder/safe-open.ts'
import type { OpenFile } from '../folder/safe-open.ts'
import { otherSpelling, refusedManifest, unreadableFolder, unreadableManifest } from './scan-report.ts'
import type { Report } from './scan-report.ts'
import { createSkillFolder } from '../folder/skill.ts'
import type { Access, ReadRules } from '../folder/reading.ts'

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
  /** Where it stands beside others. Absent: a link led here, or it is the root. */
  readonly shelf?: SkillLocator | undefined
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
  /**
   * What all folders of one folder have in common.
   * @param path what their paths begin with
   * @param real what their paths without links begin with
   */
  shelf(path: string, real: string): SkillLocator
  /** The scan is over: what was left for later can be asked for. */
  end(): void
}

const MANIFEST_BELOW = sep + MANIFEST_NAME
// The one other spelling that occurs. To see the rest of them beside SKILL.md, every folder would have to be listed,
// which takes as long as reading it. To look for this one takes a seventh of a scan.
const OTHER_BELOW = `${sep}skill.md`

/** A candidate of a scan. */
interface ScannedSkill extends FoundSkill {
  readonly reader: HeadReader
  /** Which of the reader's visits this is. */
  readonly visit: number
}

/** Made once for a scan. */
export function createManifestVisit(visitor: SkillVisitor, report: Report, rules: Required<ReadRules>): ManifestVisit {
  const reader = createHeadReader()
  const usual = { ...rules, fileName: MANIFEST_NAME }
  /** Folders in which nobody has looked for another spelling. */
  const unlooked: Unlooked[] = []
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
        if (hasOther(folder.real)) return false
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
      const skill: ScannedSkill = {
        // What a link leads to may change: people and models are shown what is really read.
        folder: createSkillFolder(
          linked ? real : found,
          real,
          found,
          fileName === MANIFEST_NAME ? usual : { ...rules, fileName },
        ),
        folderName: name,
        path,
        fileName,
        size: file.stats.size,
        head,
        hash: hashCharacters,
        reader,
        visit: number,
      }
      visitor.skill(skill, fileName === MANIFEST_NAME ? folder.shelf : undefined)
    }
    if (reader.failure() !== undefined) report(unreadableManifest(path, reader.failure()))
  }

  let leaving: Unlooked | undefined
  const leave = ({ shelf, name, path }: ScannedFolder): void => {
    if (leaving === undefined || leaving.shelf !== shelf) unlooked.push((leaving = { shelf, names: [] }))
    leaving.names.push(shelf === undefined ? path : name)
  }

  return {
    listed(folder, spellings) {
      const [first, ...others] = spellings.includes(MANIFEST_NAME)
        ? [MANIFEST_NAME, ...spellings.filter((name) => name !== MANIFEST_NAME).toSorted()]
        : spellings.toSorted()
      if (first === undefined || !visit(folder, first, childPath(folder.real, first), true)) return false
      for (const other of others) report(otherSpelling(folder.path, first, other))
      return true
    },
    unlisted(folder) {
      // Which of two spellings is there matters at once where they are one name; that both are can be said later.
      const isLater = visitor.later !== undefined && device !== undefined
      if (!isLater && hasOther(folder.real)) return false
      if (!visit(folder, MANIFEST_NAME, folder.real + MANIFEST_BELOW, false)) return false
      if (isLater) leave(folder)
      return true
    },
    shelf: (path, real) => createShelf(path, real, usual),
    end() {
      // A list that has grown has room for more; a copy has none.
      const folders = unlooked.map(({ shelf, names }) => ({ shelf, names: names.slice() }))
      if (folders.length > 0) visitor.later?.(looking(folders))
    },
  }
}

/** A file system that ignores case finds every spelling; then the folder's list knows the true name. */
function hasOther(folder: string): boolean {
  // Two separators in a row, below the root of a file system, are one.
  return existsSync(folder + OTHER_BELOW)
}

/** Folders of one shelf, by their names; of none, by their paths. */
interface Unlooked {
  readonly shelf: SkillLocator | undefined
  readonly names: string[]
}

/** Apart from the visit, whose memory would be kept with it. */
function looking(folders: readonly Unlooked[]): () => readonly Diagnostic[] {
  return () =>
    folders.flatMap(({ shelf, names }) => names.flatMap((name) => otherSpellings(shelf?.location(name) ?? name)))
}

/** As above, of folders to which no link led, with a SKILL.md in that spelling. */
function createShelf(path: string, real: string, access: Access): SkillLocator {
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

/** What there is to say of a folder that holds SKILL.md, and was not listed. */
function otherSpellings(path: string): readonly Diagnostic[] {
  if (!hasOther(path)) return []
  try {
    const spellings = readdirSync(path).filter(isManifestName)
    if (!spellings.includes(MANIFEST_NAME)) return []
    const others = spellings.filter((name) => name !== MANIFEST_NAME)
    return others.toSorted().map((other) => otherSpelling(path, MANIFEST_NAME, other))
  } catch {
    // It is gone by now, or cannot be listed.
    return []
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
