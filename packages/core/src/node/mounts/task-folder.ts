/**
 * Creates and removes folders that only this user can read, without following a link, even while another process swaps
 * folders for links: a task's tools may be able to write where its copies are.
 */
import { closeSync, mkdirSync, openSync, realpathSync, rmdirSync, type Stats, writeFile } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { SkillError, quoteName } from '@repertoire/skill-md/internal'
import { OpenError, errorCode, explainOpenError } from '../folder/open-error.ts'
import { isMissing } from '../folder/leftovers.ts'
import { childPath } from '../folder/names.ts'
import { sha256 } from '../folder/listing.ts'
import { hasDescriptorPaths, openPinnedFolder, type OpenFolder } from '../folder/safe-open.ts'

/** An open folder. The caller closes it. */
export interface TaskFolder extends OpenFolder {
  /** As messages show it. */
  readonly path: string
}

const OWNER_ONLY = 0o700
const WRITABLE_BY_OTHERS = 0o022

/**
 * Opens a folder by its path, whose last part may be a link.
 * @param make whether it and its parents are created if they are missing
 * @returns undefined if it is missing
 * @throws {SkillError} FOLDER_NOT_WRITABLE
 */
export function openRoot(
  path: string,
  make: boolean,
  descriptorPaths: boolean = hasDescriptorPaths,
): TaskFolder | undefined {
  try {
    if (make) makeAll(path)
    const real = realpathSync.native(path)
    return { ...openPinnedFolder(real, descriptorPaths), path: real }
  } catch (error) {
    if (!make && isMissing(error)) return undefined
    throw refusal(path, error)
  }
}

/**
 * Opens a folder inside another one. It must not be a link, and other users must not be able to write to it.
 * @param make whether it is created if it is missing
 * @returns undefined if it is missing
 * @throws {SkillError} FOLDER_NOT_WRITABLE
 */
export function openIn(folder: TaskFolder, name: string, make: boolean): TaskFolder | undefined {
  const path = childPath(folder.path, name)
  let inner: OpenFolder | undefined
  try {
    if (make) folder.at(name, makeOne)
    inner = folder.folder(name)
    refuseShared(path, inner.stat('.'))
    return { ...inner, path }
  } catch (error) {
    inner?.close()
    if (!make && isMissing(error)) return undefined
    throw refusal(path, error)
  }
}

/** Writes a new file that only its owner can read. @throws the system's error */
export async function writeNew(
  folder: TaskFolder,
  name: string,
  bytes: Uint8Array,
  executable: boolean,
): Promise<void> {
  let file: number
  try {
    file = folder.at(name, (path) => openSync(path, 'wx', executable ? 0o500 : 0o400))
  } catch (error) {
    throw systemError(error)
  }
  try {
    await promisify(writeFile)(file, bytes)
  } finally {
    closeSync(file)
  }
}

/** Removes a folder if it is empty. */
export function removeEmpty(folder: OpenFolder, name: string): void {
  try {
    folder.at(name, (path) => rmdirSync(path))
  } catch {
    // It is not empty, or no longer there.
  }
}

/** The system's own error, for people. */
export function systemError(error: unknown): unknown {
  return error instanceof OpenError ? (error.cause ?? error) : error
}

function makeOne(at: string): void {
  try {
    mkdirSync(at, OWNER_ONLY)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  }
}

/** Not `recursive`: in a folder that accepts no new entries, such as /proc, Node then retries forever. */
function makeAll(path: string): void {
  try {
    makeOne(path)
  } catch (error) {
    const parent = dirname(path)
    if (errorCode(error) !== 'ENOENT' || parent === path) throw error
    makeAll(parent)
    makeOne(path)
  }
}

/** Another user who can write to the folder could put a link in it. Node does not report this on Windows. */
function refuseShared(path: string, stats: Stats): void {
  if (process.platform === 'win32') return
  if (stats.uid !== process.geteuid?.()) throw notPrivate(path, 'it belongs to another user')
  if ((stats.mode & WRITABLE_BY_OTHERS) !== 0) throw notPrivate(path, 'other users can write to it')
}

function notPrivate(path: string, why: string, cause?: unknown): SkillError {
  return new SkillError(
    'FOLDER_NOT_WRITABLE',
    `${quoteName(path)} is not used: ${why}. Remove it, or pass another \`root\`, which this user alone can write to.`,
    { path, cause },
  )
}

function refusal(path: string, error: unknown): unknown {
  if (error instanceof SkillError) return error
  const { kind, cause } = explainOpenError(error, path)
  const why = `it, or a folder above it, is a link or a file, or cannot be opened or made (${errorCode(cause) || kind})`
  return notPrivate(path, why, cause ?? error)
}

/** Names of devices on Windows. */
const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/

/** Lower-case letters, digits, `-` and `_`: no file system confuses two such names. */
const PLAIN_NAME = /^[a-z0-9](?:[a-z0-9_-]{0,62}[a-z0-9])?$/

/**
 * A folder's name for any text: the text itself if it is plain, otherwise its plain characters, `~`, and a hash. Different
 * texts get different names, even on file systems that ignore case, normal forms, or spaces and dots at the end; no name
 * is a path to another folder.
 */
export function folderName(text: string): string {
  if (PLAIN_NAME.test(text) && !WINDOWS_DEVICE.test(text)) return text
  const readable = text
    .slice(0, 200)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 24)
  // Hashed as JSON: in UTF-8, all lone surrogates would be the same character.
  return `${readable}~${sha256(JSON.stringify(text)).slice(0, 40)}`
}
