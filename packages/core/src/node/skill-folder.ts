import { closeSync, lstatSync, realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { platform } from 'node:process'
import { SkillError } from '../errors.ts'
import { quoted, resourceParts } from '../resources/path.ts'
import type { FolderListing, SkillFolder } from '../types.ts'
import { readBounded } from './bounded-read.ts'
import { childPath } from './child-path.ts'
import { listFiles } from './folder-listing.ts'
import { OpenFailure, explainOpenError } from './open-failure.ts'
import { fileError, folderError, systemCode } from './read-errors.ts'
import { openPinnedFolder } from './safe-open.ts'
import type { OpenFile, OpenFolder } from './safe-open.ts'

/** What a directory gives out of a skill's folder. */
export interface ReadRules {
  /**
   * What becomes of a file with several names on the disk. Default `refuse`: one of the names may be a secret of
   * somebody else. `allow` is for folders that a package manager fills, since pnpm and others link every file from a
   * store. The manifest is exempt: a secret does not parse as one, and then nothing of it is shown.
   */
  readonly hardLinks?: 'refuse' | 'allow'
  /** How many files a listing holds at most. Default 1,000. */
  readonly maxFiles?: number
}

/** Options of `openSkillFolder`. */
export interface OpenSkillFolderOptions extends ReadRules {
  /** Whether the path itself may be a link; it is then resolved once. Default false. */
  readonly followLinks?: boolean
  /** The manifest's file name. Default `SKILL.md`. */
  readonly fileName?: string
}

const MANIFEST_BYTES = 1024 * 1024
const RESOURCE_BYTES = 10 * 1024 * 1024
const LISTED_FILES = 1000

/**
 * Opens one skill's folder for reading. Links below it are never followed, hidden files are given out to digests alone
 * and `node_modules` and `.git` to nobody, and a folder that is later swapped for a link is refused.
 * @param path absolute, or relative to the working folder of this moment
 * @throws {SkillError} RESOURCE_NOT_FOUND (no such folder), RESOURCE_REFUSED (a file, a link, no permission)
 * @throws {TypeError} if an option does not have the shape named here
 */
export function openSkillFolder(path: string, options: OpenSkillFolderOptions = {}): SkillFolder {
  const { followLinks = false, fileName = 'SKILL.md' } = options
  if (typeof path !== 'string' || path === '') throw new TypeError('openSkillFolder: pass the path of a folder.')
  if (!/^[^./\\][^/\\]*$/.test(fileName)) throw new TypeError('openSkillFolder: fileName is a file name, not a path.')
  const location = resolve(path)
  const rules = readRules(options)
  try {
    const isLink = lstatSync(location).isSymbolicLink()
    if (isLink && !followLinks) throw new OpenFailure('link')
    const real = realpathSync.native(location)
    // Swapped for a link since the line above.
    if (!isLink && dirname(real) !== realpathSync.native(dirname(location))) throw new OpenFailure('link')
    if (!lstatSync(real).isDirectory()) throw new OpenFailure('missing')
    return createSkillFolder({ location: isLink ? real : location, real, found: location, fileName }, rules)
  } catch (error) {
    const { kind } = explainOpenError(error, location)
    if (kind === 'missing') {
      throw new SkillError(
        'RESOURCE_NOT_FOUND',
        `There is no folder ${quoted(location)}. Pass the folder that holds SKILL.md.`,
        { path: location, cause: error },
      )
    }
    const reason =
      kind === 'link'
        ? 'it is a link. Pass the folder that it leads to, or followLinks: true.'
        : `it cannot be opened${systemCode(error)}. Check its permissions.`
    throw new SkillError('RESOURCE_REFUSED', `The folder ${quoted(location)} is not opened: ${reason}`, {
      path: location,
      cause: error,
    })
  }
}

/** Where a skill was found. */
interface SkillPlace {
  /** As people and models are shown it. */
  readonly location: string
  /** The path without links: what the folder is pinned to. */
  readonly real: string
  /** The path by which it was found. */
  readonly found: string
  readonly fileName: string
}

/** The rules with their defaults. @throws {TypeError} */
export function readRules({ hardLinks = 'refuse', maxFiles = LISTED_FILES }: ReadRules): Required<ReadRules> {
  if (hardLinks !== 'refuse' && hardLinks !== 'allow') throw new TypeError('hardLinks is "refuse" or "allow".')
  if (!Number.isSafeInteger(maxFiles) || maxFiles < 1) throw new TypeError('maxFiles is a whole number from 1 on.')
  return { hardLinks, maxFiles }
}

/** A skill's folder at a place that was already looked at. Nothing is opened before the first read. */
export function createSkillFolder(place: SkillPlace, rules: Required<ReadRules>): SkillFolder {
  const alias = [place.real, place.found].find((path) => path !== place.location)
  return {
    location: place.location,
    ...(alias !== undefined && { alias }),
    readManifest: async () => readFile(place, [place.fileName], MANIFEST_BYTES, rules),
    list: async () => list(place, rules),
    read: async (path, { maxBytes = RESOURCE_BYTES, withheld = false } = {}) => {
      if (!Number.isSafeInteger(maxBytes) || maxBytes < 0) throw new TypeError('maxBytes is a whole number from 0 on.')
      const parts = resourceParts(path, place.location, withheld)
      // NTFS reads a name such as "a.md:b" as another stream of the file.
      if (platform === 'win32' && path.includes(':'))
        throw fileError(new OpenFailure('missing'), place.location, path, path)
      return readFile(place, parts, maxBytes, rules)
    },
  }
}

function list(place: SkillPlace, rules: Required<ReadRules>): FolderListing {
  const folder = openSkill(place)
  try {
    return listFiles(folder, {
      maxFiles: rules.maxFiles,
      allowsHardLinks: (path) => rules.hardLinks === 'allow' || path === place.fileName,
    })
  } catch (error) {
    throw folderError(error, place.location)
  } finally {
    folder.close()
  }
}

async function readFile(
  place: SkillPlace,
  parts: readonly string[],
  maxBytes: number,
  { hardLinks }: Required<ReadRules>,
): Promise<Uint8Array> {
  const path = parts.join('/')
  const details = { path: parts.reduce(childPath, place.location) }
  const { fd, stats } = openFile(place, parts)
  try {
    if (stats.nlink > 1 && hardLinks === 'refuse' && path !== place.fileName) {
      throw new SkillError(
        'RESOURCE_REFUSED',
        `${quoted(path)} in ${place.location} has ${stats.nlink} names on this disk (hard links), so it may be a ` +
          "file from elsewhere. Replace it by a copy, or open the source with hardLinks: 'allow'.",
        details,
      )
    }
    const bytes = await readBounded(fd, stats.size, maxBytes)
    if (bytes !== undefined) return bytes
  } catch (error) {
    throw error instanceof SkillError ? error : fileError(error, place.location, path, path)
  } finally {
    closeSync(fd)
  }
  throw new SkillError(
    'RESOURCE_TOO_LARGE',
    `${quoted(path)} in ${place.location} is larger than ${maxBytes} bytes, the most that is read here. ` +
      (path === place.fileName
        ? 'Move what is long into files beside it.'
        : 'Split the file, or pass a larger maxBytes.'),
    details,
  )
}

/** Part by part, each from the one before, so that no link is followed on the way. */
function openFile(place: SkillPlace, parts: readonly string[]): OpenFile {
  let folder = openSkill(place)
  let depth = 0
  try {
    for (; depth < parts.length - 1; depth++) {
      const above = folder
      folder = above.folder(parts[depth]!)
      above.close()
    }
    return folder.file(parts[depth]!)
  } catch (error) {
    throw fileError(error, place.location, parts.join('/'), parts.slice(0, depth + 1).join('/'))
  } finally {
    folder.close()
  }
}

function openSkill(place: SkillPlace): OpenFolder {
  try {
    return openPinnedFolder(place.real)
  } catch (error) {
    throw folderError(error, place.location)
  }
}
