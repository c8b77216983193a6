import { mkdirSync, realpathSync, rmdirSync, type Stats, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import {
  SkillError,
  number,
  quoteName,
  required,
  text,
  withDefault,
  checkOptions,
  type OptionTable,
} from '@repertoire/skill-md/internal'
import type { MountFile, MountRequest, SkillMounts } from '../../ports/mount.ts'
import { pathProblem, quoted } from '../../resources/path.ts'
import { isMissing } from '../folder/leftovers.ts'
import { sha256Of } from '../../text/hash.ts'
import { OpenError, errorCode } from '../folder/open-error.ts'
import { removeTree } from '../folder/open-folder.ts'
import { type OpenFolder, openPinnedFolder } from '../folder/safe-open.ts'
import { skillFolder } from '../folder/skill.ts'

/** Options of `privateMounts`. */
export interface PrivateMountsOptions {
  /**
   * The folder in which each task has one of its own, `private/<task>/.skills/<skill>`. Created at the first mount.
   * Absolute, or relative to the current working folder. No other user may be able to write to what is created in it.
   */
  readonly root: string
  /** The largest copy of one skill, in bytes. Default 256 MiB. */
  readonly maxBytes?: number | undefined
}

const TASKS = 'private'
const SKILLS = '.skills'
const DEFAULT_MAX_BYTES = 256 * 1024 * 1024
const OWNER_ONLY = 0o700
const WRITABLE_BY_OTHERS = 0o022

const PRIVATE_MOUNTS_OPTIONS: OptionTable<PrivateMountsOptions> = {
  root: required(text),
  maxBytes: withDefault(DEFAULT_MAX_BYTES, number('bytes', { above: 0, isUnlimited: true })),
}

/**
 * Keeps copies of skills in a private folder of each task: files that only this user can read and nobody can write
 * (0400, 0500 if executable), in folders of 0700. A model is shown `private:/.skills/<skill>`. The folder names for a
 * task's id and for an unusual skill name are unique, and never paths to another folder. Links are never followed.
 * @throws {TypeError} an option is unknown or has the wrong type
 */
export function privateMounts(options: PrivateMountsOptions): SkillMounts {
  checkOptions('privateMounts', PRIVATE_MOUNTS_OPTIONS, options)
  const { maxBytes = DEFAULT_MAX_BYTES } = options
  const root = resolve(options.root)
  return {
    async mount({ task, skill, files }: MountRequest) {
      const name = folderName(skill)
      // Read first: what is written then is written without a break, and no other call comes between.
      const contents = await readAll(files, maxBytes)
      const location = within(root, [TASKS, folderName(task), SKILLS], true, (skills, path) => {
        const staging = `.new-${crypto.randomUUID()}`
        try {
          skills.at(staging, makeOne)
          for (const [file, bytes] of contents) write(skills, [staging, ...file.path.split('/')], file, bytes)
          removeTree(skills, name)
          skills.move(staging, skills, name)
        } catch (error) {
          removeTree(skills, staging)
          throw error
        }
        return join(path, name)
      })
      return { path: `private:/${SKILLS}/${name}`, location: location! }
    },
    open: ({ location }) => skillFolder(location),
    async unmount(task, skill) {
      const space = [TASKS, folderName(task)]
      if (skill !== undefined)
        within(root, [...space, SKILLS], false, (skills) => removeTree(skills, folderName(skill)))
      within(root, space, false, (own) => (skill === undefined ? removeTree(own, SKILLS) : removeEmpty(own, SKILLS)))
      within(root, [TASKS], false, (tasks) => removeEmpty(tasks, folderName(task)))
    },
  }
}

/** @throws {SkillError} RESOURCE_PATH_INVALID, RESOURCE_TOO_LARGE; what a read throws */
async function readAll(files: readonly MountFile[], maxBytes: number): Promise<readonly [MountFile, Uint8Array][]> {
  const contents: [MountFile, Uint8Array][] = []
  let left = maxBytes
  for (const file of files) {
    const problem = pathProblem(file.path)
    if (problem !== undefined)
      throw new SkillError(
        'RESOURCE_PATH_INVALID',
        `${quoted(file.path)} is not a path inside a skill's folder: ${problem}.`,
      )
    const bytes = await file.read()
    left -= bytes.length
    if (left < 0)
      throw new SkillError('RESOURCE_TOO_LARGE', `The folder holds more than ${maxBytes} bytes. Raise \`maxBytes\`.`)
    contents.push([file, bytes])
  }
  return contents
}

/**
 * Opens nested folders, and works in the innermost one. Returns undefined if one is missing and is not to be made.
 * @throws {SkillError} FOLDER_NOT_WRITABLE: one is a link, is shared with other users, or cannot be made
 */
function within<T>(
  root: string,
  names: readonly string[],
  make: boolean,
  work: (folder: OpenFolder, path: string) => T,
): T | undefined {
  const opened: OpenFolder[] = []
  let path = root
  try {
    if (make) makeAll(root)
    path = realpathSync.native(root)
    opened.push(openPinnedFolder(path))
    for (const name of names) {
      const parent = opened.at(-1)!
      path = join(path, name)
      if (make) parent.at(name, makeOne)
      const folder = parent.folder(name)
      opened.push(folder)
      refuseShared(path, folder.stat('.'))
    }
    return work(opened.at(-1)!, path)
  } catch (error) {
    if (!make && isMissing(error)) return undefined
    if (error instanceof SkillError) throw error
    const cause = error instanceof OpenError ? (error.cause ?? error) : error
    const code = errorCode(cause) || (error instanceof OpenError ? error.kind : 'unknown')
    throw notPrivate(path, `it, or a folder above it, is a link or a file, or cannot be written to (${code})`, cause)
  } finally {
    for (const folder of opened) folder.close()
  }
}

/** Writes a new file that only its owner can read, with the folders on the way. */
function write(folder: OpenFolder, parts: readonly string[], { executable }: MountFile, bytes: Uint8Array): void {
  const opened: OpenFolder[] = []
  try {
    for (const part of parts.slice(0, -1)) {
      const parent = opened.at(-1) ?? folder
      parent.at(part, makeOne)
      opened.push(parent.folder(part))
    }
    opened
      .at(-1)!
      .at(parts.at(-1)!, (path) => writeFileSync(path, bytes, { flag: 'wx', mode: executable ? 0o500 : 0o400 }))
  } finally {
    for (const each of opened) each.close()
  }
}

function removeEmpty(folder: OpenFolder, name: string): void {
  try {
    folder.at(name, (path) => rmdirSync(path))
  } catch {
    // It is not empty, or no longer there.
  }
}

function makeOne(path: string): void {
  try {
    mkdirSync(path, OWNER_ONLY)
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
function refuseShared(path: string, { uid, mode }: Stats): void {
  if (process.platform === 'win32') return
  if (uid !== process.geteuid?.()) throw notPrivate(path, 'it belongs to another user')
  if ((mode & WRITABLE_BY_OTHERS) !== 0) throw notPrivate(path, 'other users can write to it')
}

function notPrivate(path: string, why: string, cause?: unknown): SkillError {
  return new SkillError(
    'FOLDER_NOT_WRITABLE',
    `${quoteName(path)} is not used: ${why}. Remove it, or pass another \`root\`, which this user alone can write to.`,
    { path, cause },
  )
}

const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/

/** Lower-case letters, digits, `-` and `_`: no file system confuses two such names. */
const PLAIN_NAME = /^[a-z0-9](?:[a-z0-9_-]{0,62}[a-z0-9])?$/

/**
 * Returns a folder's name for any text: the text if it is plain, otherwise its plain characters, `~`, and a hash.
 * Different texts get different names, also where case, normal forms, or spaces and dots at the end are ignored.
 */
function folderName(label: string): string {
  if (PLAIN_NAME.test(label) && !WINDOWS_DEVICE.test(label)) return label
  const readable = label
    .slice(0, 200)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 24)
  // Hashed as JSON: in UTF-8, all lone surrogates would be the same character.
  return `${readable}~${sha256Of(JSON.stringify(label)).slice(0, 40)}`
}
