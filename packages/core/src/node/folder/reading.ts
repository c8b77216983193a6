import { closeSync } from 'node:fs'
import { SkillError } from '../../errors.ts'
import { quoted } from '../../resources/path.ts'
import type { FolderListing, SkillFolder } from '../../ports/folder.ts'
import { readBounded, readSmall } from './bounded-read.ts'
import { childPath } from './child-path.ts'
import type { FileHasher } from './file-hasher.ts'
import { listFiles } from './listing.ts'
import { fileError, folderError } from './read-errors.ts'
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

/** How a folder is read. */
export interface Access extends Required<ReadRules> {
  /** The manifest's. */
  readonly fileName: string
}

/** A folder of the disk. Its methods are shared by all: closures for each would take most of a skill's memory. */
export interface DiskFolder extends SkillFolder {
  /** The path without links, which the folder is pinned to. Absent: its location is that. */
  readonly real?: string
  readonly access: Access
}

/**
 * @param survey what is made of the files on the way, and what the manifest was when it was read
 * @throws {SkillError}
 */
export function listIn(
  folder: OpenFolder,
  { location, access: { fileName, hardLinks, maxFiles } }: DiskFolder,
  survey?: { readonly hasher: FileHasher; readonly manifest: OpenFile },
): FolderListing {
  try {
    return listFiles(folder, {
      maxFiles,
      allowsHardLinks: (path) => hardLinks === 'allow' || path === fileName,
      ...(survey !== undefined && {
        see: survey.hasher.see,
        read: { path: fileName, stats: survey.manifest.stats },
      }),
    })
  } catch (error) {
    throw folderError(error, location)
  }
}

/** One file of a folder that is closed. @throws {SkillError} */
export async function readFile(place: DiskFolder, parts: readonly string[], maxBytes: number): Promise<Uint8Array> {
  const folder = openSkill(place)
  let file: OpenFile
  try {
    file = openIn(folder, place, parts)
  } finally {
    folder.close()
  }
  return readOpened(place, parts, file, maxBytes)
}

/** An opened small file that may have several names, whole. Closes it, unless it gives nothing: see `readOpened`. */
export function readAtOnce({ fd, stats }: OpenFile): Uint8Array | undefined {
  const bytes = readSmall(fd, stats.size)
  if (bytes !== undefined) closeSync(fd)
  return bytes
}

/** An opened file, whole. Closes it. @throws {SkillError} */
export async function readOpened(
  place: DiskFolder,
  parts: readonly string[],
  { fd, stats }: OpenFile,
  maxBytes: number,
): Promise<Uint8Array> {
  const { hardLinks, fileName } = place.access
  const path = parts.join('/')
  try {
    if (stats.nlink > 1 && hardLinks === 'refuse' && path !== fileName) {
      throw new SkillError(
        'RESOURCE_REFUSED',
        `${quoted(path)} in ${place.location} has ${stats.nlink} names on this disk (hard links), so it may be a ` +
          "file from elsewhere. Replace it by a copy, or open the source with hardLinks: 'allow'.",
        detailsOf(place, parts),
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
      (path === fileName ? 'Move what is long into files beside it.' : 'Split the file, or pass a larger maxBytes.'),
    detailsOf(place, parts),
  )
}

function detailsOf({ location }: DiskFolder, parts: readonly string[]): { readonly path: string } {
  return { path: parts.reduce(childPath, location) }
}

/** Part by part, each from the one before, so that no link is followed on the way. @throws {SkillError} */
export function openIn(root: OpenFolder, place: DiskFolder, parts: readonly string[]): OpenFile {
  let folder = root
  let depth = 0
  try {
    for (; depth < parts.length - 1; depth++) {
      const above = folder
      folder = above.folder(parts[depth]!)
      if (above !== root) above.close()
    }
    return folder.file(parts[depth]!)
  } catch (error) {
    throw fileError(error, place.location, parts.join('/'), parts.slice(0, depth + 1).join('/'))
  } finally {
    if (folder !== root) folder.close()
  }
}

/** @throws {SkillError} */
export function openSkill(place: DiskFolder): OpenFolder {
  try {
    return openPinnedFolder(place.real ?? place.location)
  } catch (error) {
    throw folderError(error, place.location)
  }
}
