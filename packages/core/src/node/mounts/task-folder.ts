/**
 * Creates and removes folders that only this user can read, without following a link, even while another process swaps
 * folders for links: a task's tools may be able to write where its copies are. On Linux every entry is reached through
 * the descriptor of its folder (`/proc/self/fd/N/name`); elsewhere a link that stays in place is refused.
 */
import {
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  rmdirSync,
  type Stats,
  unlinkSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { geteuid, platform } from 'node:process'
import { SkillError } from '../../errors.ts'
import { quoteName } from '../../text/quote.ts'
import { childPath } from '../folder/child-path.ts'
import { sha256 } from '../folder/file-hasher.ts'
import { errorCode } from '../folder/open-failure.ts'
import { hasDescriptorPaths } from '../folder/safe-open.ts'

/** An open folder. The caller closes it. */
export interface TaskFolder {
  /** The prefix of paths to its entries, valid until it is closed. */
  readonly base: string
  /** As messages show it. */
  readonly path: string
  /** Whether it and its entries are reached through its descriptor. */
  readonly isPinned: boolean
  close(): void
}

const flag = (name: 'O_NOFOLLOW' | 'O_DIRECTORY' | 'O_NONBLOCK'): number =>
  (constants as Partial<typeof constants>)[name] ?? 0
const FOLDER_FLAGS = constants.O_RDONLY | flag('O_NOFOLLOW') | flag('O_DIRECTORY') | flag('O_NONBLOCK')
const NEW_FILE_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | flag('O_NOFOLLOW')
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
    return opened(real, real, descriptorPaths)
  } catch (error) {
    if (!make && errorCode(error) === 'ENOENT') return undefined
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
  const at = childPath(folder.base, name)
  const path = childPath(folder.path, name)
  let inner: TaskFolder | undefined
  try {
    if (make) makeOne(at)
    if (!folder.isPinned) refuseLink(path, lstatSync(at))
    inner = opened(at, path, folder.isPinned)
    refuseShared(path, lstatSync(childPath(inner.base, '.')))
    return inner
  } catch (error) {
    inner?.close()
    if (!make && errorCode(error) === 'ENOENT') return undefined
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
  const file = await open(childPath(folder.base, name), NEW_FILE_FLAGS, executable ? 0o500 : 0o400)
  try {
    await file.writeFile(bytes)
  } finally {
    await file.close()
  }
}

/** Removes an entry of any kind; of a link, not its target. @throws the system's error */
export function removeIn(folder: TaskFolder, name: string): void {
  const at = childPath(folder.base, name)
  let stats: Stats
  try {
    stats = lstatSync(at)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return
    throw error
  }
  if (!stats.isDirectory()) {
    // Windows does not remove read-only files.
    if (platform === 'win32' && !stats.isSymbolicLink()) chmodSync(at, 0o600)
    unlinkSync(at)
    return
  }
  // A task may have removed its own rights.
  if ((stats.mode & OWNER_ONLY) !== OWNER_ONLY) chmodSync(at, OWNER_ONLY)
  const inner = opened(at, childPath(folder.path, name), folder.isPinned)
  try {
    for (const entry of readdirSync(inner.base)) removeIn(inner, entry)
  } finally {
    inner.close()
  }
  rmdirSync(at)
}

/** Removes a folder if it is empty. */
export function removeEmpty(folder: TaskFolder, name: string): void {
  try {
    rmdirSync(childPath(folder.base, name))
  } catch {
    // It is not empty, or no longer there.
  }
}

function opened(at: string, path: string, isPinned: boolean): TaskFolder {
  if (!isPinned) return { base: at, path, isPinned, close: () => {} }
  const fd = openSync(at, FOLDER_FLAGS)
  return { base: `/proc/self/fd/${fd}`, path, isPinned, close: () => closeSync(fd) }
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

function refuseLink(path: string, stats: Stats): void {
  if (!stats.isDirectory()) throw notPrivate(path, stats.isSymbolicLink() ? 'it is a link' : 'it is not a folder')
}

/** Another user who can write to the folder could put a link in it. Node does not report this on Windows. */
function refuseShared(path: string, stats: Stats): void {
  if (platform === 'win32') return
  if (stats.uid !== geteuid?.()) throw notPrivate(path, 'it belongs to another user')
  if ((stats.mode & WRITABLE_BY_OTHERS) !== 0) throw notPrivate(path, 'other users can write to it')
}

function notPrivate(path: string, why: string, cause?: unknown): SkillError {
  return new SkillError(
    'FOLDER_NOT_WRITABLE',
    `${quoteName(path)} is not used: ${why}. Remove it, or pass another \`root\`, which this user alone can write to.`,
    { path, ...(cause !== undefined && { cause }) },
  )
}

function refusal(path: string, error: unknown): unknown {
  if (error instanceof SkillError) return error
  const code = errorCode(error)
  if (code === '') return error
  const isLink = code === 'ELOOP' || code === 'EMLINK' || code === 'ENOTDIR'
  const why = isLink ? 'it, or a folder above it, is a link or a file' : `it cannot be opened or made (${code})`
  return notPrivate(path, why, error)
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
