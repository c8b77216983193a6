import { closeSync, readSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { type FolderListing, showName, SkillError, type SkillFolder } from '@repertoire/skill-md/internal'
import { quoted } from '../../resources/path.ts'
import { isMoving, waitOutSwap } from './leftovers.ts'
import { OpenError, errorCode, fileError, folderError } from './open-error.ts'
import { childPath } from './names.ts'
import { listFiles } from './listing.ts'
import { type OpenFile, type OpenFolder, openPinnedFolder, openRegularFile } from './safe-open.ts'

/** What can be read of a skill's folder. */
export interface ReadRules {
  /**
   * Whether files with several names on the disk (hard links) are read. Default `refuse`: another name may belong to
   * somebody's secret. `allow` is for folders that a package manager fills, since pnpm and others link every file from
   * a store. The manifest is always read: a secret does not parse as one, and is then not shown.
   */
  readonly hardLinks?: 'refuse' | 'allow'
}

export interface Access extends Required<ReadRules> {
  readonly fileName: string
}

/** A folder on disk. All folders share their methods: their own closures would take most of a skill's memory. */
export interface DiskFolder extends SkillFolder {
  /** The path without links, to which the folder is pinned. Absent: it equals `location`. */
  readonly real?: string
  readonly access: Access
}

/** Lists an open folder. @throws {SkillError} */
export function listIn(folder: OpenFolder, { location, access: { fileName, hardLinks } }: DiskFolder): FolderListing {
  try {
    return listFiles(folder, (path) => hardLinks === 'allow' || path === fileName)
  } catch (error) {
    throw folderError(error, location)
  }
}

/** Opens a folder and reads one file in it. @throws {SkillError} */
export async function readFile(folder: DiskFolder, parts: readonly string[], maxBytes: number): Promise<Uint8Array> {
  const root = await openSkillInPlace(folder)
  let file: OpenFile
  try {
    file = openIn(root, folder, parts)
  } finally {
    root.close()
  }
  return readOpened(folder, parts, file, maxBytes)
}

/** Reads and closes an opened file. @throws {SkillError} */
function readOpened(
  folder: DiskFolder,
  parts: readonly string[],
  { fd, stats }: OpenFile,
  maxBytes: number,
): Uint8Array {
  const { hardLinks, fileName } = folder.access
  const path = parts.join('/')
  try {
    if (stats.nlink > 1 && hardLinks === 'refuse' && path !== fileName) {
      throw new SkillError(
        'RESOURCE_REFUSED',
        `${quoted(path)} in ${showName(folder.location)} has ${stats.nlink} names on this disk (hard links), so it may be a ` +
          "file from elsewhere. Replace it by a copy, or open the source with hardLinks: 'allow'.",
        detailsOf(folder, parts),
      )
    }
    const bytes = readBounded(fd, stats.size, maxBytes)
    if (bytes !== undefined) return bytes
  } catch (error) {
    throw error instanceof SkillError ? error : fileError(error, folder.location, path, path)
  } finally {
    closeSync(fd)
  }
  throw new SkillError(
    'RESOURCE_TOO_LARGE',
    `${quoted(path)} in ${showName(folder.location)} is larger than ${maxBytes} bytes, the most that is read here. ` +
      (path === fileName ? 'Move what is long into files beside it.' : 'Split the file, or pass a larger maxBytes.'),
    detailsOf(folder, parts),
  )
}

function detailsOf({ location }: DiskFolder, parts: readonly string[]): { readonly path: string } {
  return { path: parts.reduce(childPath, location) }
}

/** Opens a file part by part, each from the one before, so that no link is followed. @throws {SkillError} */
function openIn(root: OpenFolder, { location }: DiskFolder, parts: readonly string[]): OpenFile {
  let folder = root
  let depth = 0
  try {
    for (; depth < parts.length - 1; depth++) {
      const parent = folder
      folder = parent.folder(parts[depth]!)
      if (parent !== root) parent.close()
    }
    return folder.file(parts[depth]!)
  } catch (error) {
    throw fileError(error, location, parts.join('/'), parts.slice(0, depth + 1).join('/'))
  } finally {
    if (folder !== root) folder.close()
  }
}

/** Opens a skill's folder. One that a writer is about to swap is waited for. @throws {SkillError} */
export async function openSkillInPlace(folder: DiskFolder): Promise<OpenFolder> {
  try {
    return openSkill(folder)
  } catch (error) {
    const { location, real = location } = folder
    if (!isMoving(dirname(real), basename(real))) throw error
    if (await waitOutSwap(dirname(real), basename(real))) return openSkill(folder)
    const message = `The skill's folder ${showName(location)} has left its place: a change of it is unfinished. "repertoire recover" puts it back.`
    throw new SkillError('RESOURCE_NOT_FOUND', message, { path: location, cause: error })
  }
}

/** @throws {SkillError} */
export function openSkill({ real, location }: DiskFolder): OpenFolder {
  try {
    return openPinnedFolder(real ?? location)
  } catch (error) {
    throw folderError(error, location)
  }
}

/**
 * Reads a whole opened file. Returns undefined if it is larger than `maxBytes`, also where it grows meanwhile.
 * @param size its size when it was opened, in bytes
 */
export function readBounded(fd: number, size: number, maxBytes: number): Uint8Array | undefined {
  if (size > maxBytes) return undefined
  // One byte more than expected: the read then shows whether the file ends there or has grown.
  let bytes = new Uint8Array(size + 1)
  for (let length = 0; length <= maxBytes;) {
    if (length === bytes.length) {
      const larger = new Uint8Array(Math.min(length * 2, maxBytes + 1))
      larger.set(bytes)
      bytes = larger
    }
    const wanted = bytes.length - length
    const got = readSync(fd, bytes, length, wanted, length)
    length += got
    if (got === 0 || (got < wanted && length === size)) return bytes.subarray(0, length)
  }
  return undefined
}

/** The value in a JSON file, or what is wrong with the file. */
type JsonFile =
  | { readonly state: 'read'; readonly value: unknown; readonly text: string }
  | { readonly state: 'missing' }
  | {
      readonly state: 'failed'
      /** As the end of a sentence about the file. */
      readonly problem: string
      /** What the file holds that is not JSON. Absent: it was not read. */
      readonly text?: string
    }

const MAX_BYTES = 1024 * 1024

/** Reads a JSON file of limited size, which must not be a link. Never blocks on a pipe. */
export function readJsonFile(path: string): JsonFile {
  let text: string
  try {
    const { fd, stats } = openRegularFile(path)
    try {
      const bytes = readBounded(fd, stats.size, MAX_BYTES)
      if (bytes === undefined) return { state: 'failed', problem: `is larger than ${MAX_BYTES} bytes` }
      text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    if (!(error instanceof OpenError)) return { state: 'failed', problem: 'is not UTF-8 text' }
    if (error.kind === 'missing') return { state: 'missing' }
    const reason = errorCode(error.cause) || `not a regular file: ${error.kind}`
    return { state: 'failed', problem: `cannot be read (${reason})` }
  }
  try {
    return { state: 'read', value: JSON.parse(text), text }
  } catch (error) {
    return { state: 'failed', problem: `is not JSON: ${error instanceof Error ? error.message : String(error)}`, text }
  }
}
