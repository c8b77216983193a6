import { existsSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isSkillError, showName, SkillError } from '@repertoire/core'
import {
  OpenError,
  openFolder,
  openPinnedFolder,
  STATE_FOLDER,
  waitOutSwap,
  type SafeFolder,
} from '@repertoire/core/node'
import { withFileLock } from '../file-lock.ts'
import { isSystemError, systemCodeOf } from '../system-code.ts'

/** The file by which writers of a folder wait for each other, in `.repertoire`. */
export const LOCK = 'lock'

/**
 * Does the work of a write, alone among all writers.
 * @param root made if it is missing
 * @param skills what errors name
 * @throws {SkillError} see `SkillStore`
 */
export async function writeStore<T>(
  root: string,
  timeout: number,
  skills: readonly string[],
  work: (folder: SafeFolder) => Promise<T> | T,
): Promise<T> {
  try {
    makeRoot(root)
    const real = realpathSync.native(root)
    const opened = openPinnedFolder(real)
    try {
      opened.makeFolder(STATE_FOLDER).close()
    } finally {
      opened.close()
    }
    return await withFileLock(join(real, STATE_FOLDER, LOCK), { timeout }, async () => {
      const folder = openFolder(real)
      try {
        return await work(folder)
      } finally {
        folder.close()
      }
    })
  } catch (error) {
    const isOfSystem = !isSkillError(error) && (error instanceof OpenError || isSystemError(error))
    throw isOfSystem ? storeError(error, root, skills) : error
  }
}

/** Each folder is made in the one above: with `recursive`, Node retries for ever in one that takes no entries. */
function makeRoot(path: string): void {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return
  const parent = dirname(path)
  if (parent !== path) makeRoot(parent)
  const opened = openPinnedFolder(realpathSync.native(parent))
  try {
    mkdirSync(path)
    opened.sync()
  } catch (error) {
    if (systemCodeOf(error) !== 'EEXIST') throw error
  } finally {
    opened.close()
  }
}

const REFUSED = {
  link: 'it, or a folder on the way, is a link, and links are not followed. Put the file or folder itself there.',
  file: 'there is a file where a folder belongs. Choose another name, or move it away.',
  folder: 'there is a folder where a file belongs. Choose another name.',
  special: 'there is a device, a pipe or a socket of that name. Choose another name.',
  replaced: 'a folder on the way was replaced meanwhile. Try again.',
} as const

/** Names the remedy for what the system has refused. */
function storeError(error: unknown, root: string, [skill, ...others]: readonly string[]): SkillError {
  const isOne = skill !== undefined && others.length === 0
  const what = isOne
    ? `The skill "${skill}" is not written to ${showName(root)}: `
    : `Nothing is written to ${showName(root)}: `
  const kind = error instanceof OpenError ? error.kind : 'system'
  const details = { path: isOne ? join(root, skill) : root, cause: error }
  if (kind === 'link' || kind === 'folder' || kind === 'special' || kind === 'replaced') {
    return new SkillError('RESOURCE_REFUSED', what + REFUSED[kind], details)
  }
  const code = systemCodeOf(error)
  if (code === 'ENOTDIR') return new SkillError('RESOURCE_REFUSED', what + REFUSED.file, details)
  const message = `${what}the folder cannot be written to${code && ` (${code})`}. Check its permissions and the space on the disk.`
  return new SkillError('FOLDER_NOT_WRITABLE', message, details)
}

/** Keeps what belongs to one machine alone, such as the lock between writers, out of the project's repository. */
export function ignoreState(folder: SafeFolder): void {
  if (existsSync(join(folder.path, STATE_FOLDER, '.gitignore'))) return
  folder.write(`${STATE_FOLDER}/.gitignore`, { bytes: Buffer.from('*\n') })
}

/**
 * Reads a skill's folder. What was read while a writer swapped it, so that it may be of both, is read once more.
 * @param isSettled whether what was read is right, whatever a writer does
 */
export async function readSteadily<T>(
  root: string,
  skill: string,
  read: () => Promise<T>,
  isSettled: (value: T) => boolean = () => false,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    await waitOutSwap(root, skill)
    const before = identityOf(join(root, skill))
    const answer = await read().then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    )
    const isSteady = identityOf(join(root, skill)) === before || tries === MAX_TRIES
    if ('value' in answer && (isSteady || isSettled(answer.value))) return answer.value
    if ('error' in answer && isSteady) throw answer.error
  }
}

/** Writers that come between more often leave no moment to read in. */
const MAX_TRIES = 100

function identityOf(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false, bigint: true })
  // The time too: a folder that left its place and came back is the same one.
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}:${stats.ctimeNs}`
}
