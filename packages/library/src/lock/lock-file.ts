import { checkOptions, number, withDefault } from '@repertoire/core/options'
import { isUtf8 } from 'node:buffer'
import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { isSkillError, showName, SkillError } from '@repertoire/core'
import { OpenError, openPinnedFolder, type OpenFolder } from '@repertoire/core/node'
import { isFileLocked, LOCK_TIMEOUT_MS, withFileLock } from '../file-lock.ts'
import { readFileIn, withFolder } from '../open-folder.ts'
import { entryProblem, LOCK_NAME, nameProblem, parseSkillsLock, renderSkillsLock } from './skills-lock.ts'
import type { LockedSkill, SkillsLock } from './skills-lock.ts'
import { systemCodeOf } from '../system-code.ts'

/** The largest lock that is read. */
const MAX_LOCK_BYTES = 16 * 1024 * 1024

const WRITERS_LOCK = `.${LOCK_NAME}.lock`

/**
 * Reads the `skills-lock.json` of a project. A missing file counts as a lock without skills.
 * @param project the folder of the lock file
 * @throws {SkillError} LOCK_INVALID: it is torn, newer, or half-merged; with the line. RESOURCE_REFUSED: it is a link
 */
export async function readSkillsLock(project: string): Promise<SkillsLock> {
  return lockOf(project) ?? { skills: new Map(), extra: {} }
}

/**
 * As `readSkillsLock`, of a project that has one.
 * @throws {SkillError} LOCK_MISSING: there is none; names the nearest one above. And as `readSkillsLock`
 */
export async function requireSkillsLock(project: string): Promise<SkillsLock> {
  const path = join(resolve(project), LOCK_NAME)
  const lock = lockOf(project)
  if (lock !== undefined) return lock
  const above = lockAbove(dirname(path))
  const hint =
    above === undefined
      ? 'Check the folder, or install skills with "add": that writes it.'
      : `There is one in ${showName(above)}: is that the project?`
  const message = `There is no ${showName(path)}, so nothing is known to be installed. ${hint}`
  throw new SkillError('LOCK_MISSING', message, { path })
}

/** The nearest folder above with a lock. */
function lockAbove(folder: string): string | undefined {
  const parent = dirname(folder)
  if (parent === folder) return undefined
  return existsSync(join(parent, LOCK_NAME)) ? parent : lockAbove(parent)
}

function lockOf(project: string): SkillsLock | undefined {
  const path = join(resolve(project), LOCK_NAME)
  const root = openProject(project)
  if (root === undefined) return undefined
  const text = withFolder(root, () => textOf(root, path))
  return text === undefined ? undefined : parseSkillsLock(text, path)
}

/** Options of `changeSkillsLock`. */
export interface ChangeLockOptions {
  /** How long to wait for other writers, in milliseconds. Default 30,000. */
  readonly timeout?: number | undefined
}

/**
 * Changes the `skills-lock.json` of a project in one step. Writers that use this function wait for each other.
 * @param change puts entries into the map and takes them out
 * @throws {SkillError} LOCK_INVALID (it stays as it is), LOCK_MISMATCH (a program that does not wait has changed it
 * meanwhile), RESOURCE_REFUSED, FOLDER_NOT_WRITABLE, TIMED_OUT
 * @throws {TypeError} an option is unknown or has the wrong type
 */
export async function changeSkillsLock(
  project: string,
  change: (skills: Map<string, LockedSkill>) => void,
  options: ChangeLockOptions = {},
): Promise<SkillsLock> {
  checkOptions<ChangeLockOptions>(
    'changeSkillsLock',
    { timeout: withDefault(LOCK_TIMEOUT_MS, number('milliseconds', { from: 0 })) },
    options,
  )
  return withHeldLock(project, options, (held) => held.change(change))
}

/** A lock file that no other program of ours writes meanwhile. */
export interface HeldLock {
  /** As it is now. */
  read(): SkillsLock
  change(change: (skills: Map<string, LockedSkill>) => void): SkillsLock
}

/**
 * Does some work while this program holds the lock file of a project.
 * @param options.make whether a missing folder is created; otherwise it is an error
 * @throws {SkillError} as `changeSkillsLock`, and what the work throws
 */
export async function withHeldLock<T>(
  project: string,
  { timeout = LOCK_TIMEOUT_MS, make = false }: ChangeLockOptions & { readonly make?: boolean },
  work: (held: HeldLock) => T | Promise<T>,
): Promise<T> {
  const path = join(resolve(project), LOCK_NAME)
  let root: OpenFolder | undefined
  const named = <Result>(doing: () => Result): Result => {
    try {
      return doing()
    } catch (error) {
      throw isSkillError(error) || error instanceof TypeError ? error : notWritable(path, error)
    }
  }
  try {
    const opened = (root = named(() => {
      if (make && !existsSync(project)) mkdirSync(project)
      return openPinnedFolder(realpathSync.native(project))
    }))
    const lock = join(realpathSync.native(project), WRITERS_LOCK)
    return await withFileLock(lock, { timeout, removed: true }, () =>
      work({
        read: () => parsed(textOf(opened, path), path),
        change: (change) => named(() => changeHeld(opened, path, change)),
      }),
    )
  } finally {
    root?.close()
  }
}

/** Whether a program holds the lock file of a project now. */
export function isLockHeld(project: string): Promise<boolean> {
  return isFileLocked(join(realpathSync.native(project), WRITERS_LOCK))
}

function changeHeld(root: OpenFolder, path: string, change: (skills: Map<string, LockedSkill>) => void): SkillsLock {
  const before = textOf(root, path)
  const lock = parsed(before, path)
  const skills = new Map(lock.skills)
  change(skills)
  const changed = { skills: checked(skills, dirname(path)), extra: lock.extra }
  const text = renderSkillsLock(changed)
  // An unchanged lock keeps its formatting and its line ends.
  if (before !== undefined && text === renderSkillsLock(lock)) return changed
  root.write(LOCK_NAME, Buffer.from(text), {
    check() {
      if (textOf(root, path) === before) return
      const message = `${path} is not written: another program has changed it meanwhile. Look again, and repeat it.`
      throw new SkillError('LOCK_MISMATCH', message, { path })
    },
  })
  return changed
}

function parsed(text: string | undefined, path: string): SkillsLock {
  return text === undefined ? { skills: new Map(), extra: {} } : parseSkillsLock(text, path)
}

function openProject(project: string): OpenFolder | undefined {
  try {
    return openPinnedFolder(realpathSync.native(project))
  } catch {
    return undefined
  }
}

/** Undefined if the file is missing. What is not UTF-8 would not be written back as it was. */
function textOf(root: OpenFolder, path: string): string | undefined {
  let bytes: Buffer | undefined
  try {
    bytes = readFileIn(root, LOCK_NAME, MAX_LOCK_BYTES)
  } catch (error) {
    const kind = error instanceof OpenError ? error.kind : 'system'
    if (kind === 'missing') return undefined
    const reason = kind === 'link' ? 'is a link, and links are not followed' : 'cannot be read'
    throw new SkillError('RESOURCE_REFUSED', `${path} ${reason}. Put the file itself there.`, { path, cause: error })
  }
  if (bytes !== undefined && isUtf8(bytes)) return bytes.toString()
  const reason = bytes === undefined ? `it is larger than ${MAX_LOCK_BYTES} bytes` : 'it is not UTF-8 text'
  const message = `${path} is not used, and stays as it is: ${reason}. Correct it, or take an earlier one back.`
  throw new SkillError('LOCK_INVALID', message, { path })
}

function checked(skills: ReadonlyMap<string, LockedSkill>, project: string): ReadonlyMap<string, LockedSkill> {
  const entries = [...skills].map(([name, entry]): [string, LockedSkill] => {
    const problem = nameProblem(name) ?? entryProblem(entry)
    if (problem !== undefined) throw new TypeError(`changeSkillsLock: the skill ${JSON.stringify(name)} ${problem}.`)
    return [
      name,
      entry.sourceType === 'local' ? { ...entry, source: portableSource(entry.source, resolve(project)) } : entry,
    ]
  })
  return new Map(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** A local source as the `skills` command writes it: relative to the project, with `/`, and always `.` before it. */
export function portableSource(source: string, project: string): string {
  const path = relative(project, isAbsolute(source) ? source : resolve(project, source))
  if (isAbsolute(path)) return resolve(project, source).split(sep).join('/')
  const parts = path.split(sep).join('/')
  if (parts === '') return '.'
  return parts === '..' || parts.startsWith('../') ? parts : `./${parts}`
}

function notWritable(path: string, cause: unknown): SkillError {
  const code = systemCodeOf(cause)
  const message = `${path} cannot be written${code && ` (${code})`}. Check that its folder is there, its permissions, and the space on the disk.`
  return new SkillError('FOLDER_NOT_WRITABLE', message, { path, cause })
}
