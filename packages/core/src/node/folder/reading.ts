import { closeSync, read, readSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { promisify } from 'node:util'
import { type FolderListing, showName, SkillError, type SkillFolder } from '@repertoire/skill-md/internal'
import { quoted } from '../../resources/path.ts'
import { isMoving, waitOutSwap } from './leftovers.ts'
import { OpenError, errorCode, fileError, folderError } from './open-error.ts'
import { childPath } from './names.ts'
import { type FileHasher, listFiles } from './listing.ts'
import { type OpenFile, type OpenFolder, openPinnedFolder, openRegularFile } from './safe-open.ts'

/** What can be read of a skill's folder. */
export interface ReadRules {
  /**
   * Whether files with several names on the disk (hard links) are read. Default `refuse`: another name may belong to
   * somebody's secret. `allow` is for folders that a package manager fills, since pnpm and others link every file from a
   * store. The manifest is always read: a secret does not parse as one, and is then not shown.
   */
  readonly hardLinks?: 'refuse' | 'allow'
  /** How many files a listing holds at most. Default 1,000. */
  readonly maxFiles?: number
}

/** How a folder is read. */
export interface Access extends Required<ReadRules> {
  /** Of the manifest. */
  readonly fileName: string
}

/** A folder on disk. All folders share their methods: closures of their own would take most of a skill's memory. */
export interface DiskFolder extends SkillFolder {
  /** The path without links, to which the folder is pinned. Absent: it equals `location`. */
  readonly real?: string
  readonly access: Access
}

/**
 * Lists an open folder.
 * @param survey hashes the files on the way, and holds the manifest, which was already read
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
        see: (path: string, file: OpenFile) => survey.hasher.see(path, file),
        read: { path: fileName, stats: survey.manifest.stats },
      }),
    })
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

/** Reads and closes an opened small file. Returns undefined, with the file open, if it needs `readOpened`. */
export function readAtOnce({ fd, stats }: OpenFile): Uint8Array | undefined {
  const bytes = readSmall(fd, stats.size)
  if (bytes !== undefined) closeSync(fd)
  return bytes
}

/** Reads and closes an opened file. @throws {SkillError} */
export async function readOpened(
  folder: DiskFolder,
  parts: readonly string[],
  { fd, stats }: OpenFile,
  maxBytes: number,
): Promise<Uint8Array> {
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
    const bytes = await readBounded(fd, stats.size, maxBytes)
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
export function openIn(root: OpenFolder, { location }: DiskFolder, parts: readonly string[]): OpenFile {
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

// A small synchronous read takes a tenth of the time of one in the thread pool; a large one would block the event loop.
const CHUNK_BYTES = 1024 * 1024
const readInPool = promisify(read)

// Files up to this size are read with one call.
const MAX_SMALL_FILE_BYTES = 64 * 1024

/** Reads an opened file if it is small and still has the given size. Returns undefined otherwise. */
export function readSmall(fd: number, size: number): Uint8Array | undefined {
  if (size > MAX_SMALL_FILE_BYTES) return undefined
  const bytes = new Uint8Array(size + 1)
  try {
    return readSync(fd, bytes, 0, size + 1, 0) === size ? bytes.subarray(0, size) : undefined
  } catch {
    return undefined
  }
}

/**
 * Reads a whole opened file. Returns undefined if it is larger than `maxBytes`.
 * @param size its size when it was opened, in bytes: how much memory to reserve, since it may have changed
 */
export async function readBounded(fd: number, size: number, maxBytes: number): Promise<Uint8Array | undefined> {
  if (size > maxBytes) return undefined
  // One byte more than expected: the read then shows whether the file ends there or has grown.
  let bytes = new Uint8Array(size + 1)
  let length = 0
  for (;;) {
    if (length > maxBytes) return undefined
    if (length === bytes.length) bytes = enlarged(bytes, Math.min(length * 2, maxBytes + 1))
    const wanted = Math.min(bytes.length - length, CHUNK_BYTES)
    const bytesRead =
      length < CHUNK_BYTES
        ? readSync(fd, bytes, length, wanted, length)
        : (await readInPool(fd, bytes, length, wanted, length)).bytesRead
    length += bytesRead
    // Fewer bytes than wanted, and as many as expected: the end of the file. Otherwise the next read shows it.
    if (bytesRead === 0 || (bytesRead < wanted && length === size)) return bytes.subarray(0, length)
  }
}

function enlarged(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(length)
  larger.set(bytes)
  return larger
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
export async function readJsonFile(path: string): Promise<JsonFile> {
  let text: string
  try {
    const { fd, stats } = openRegularFile(path)
    try {
      const bytes = await readBounded(fd, stats.size, MAX_BYTES)
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
