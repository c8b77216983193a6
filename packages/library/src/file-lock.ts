import { closeSync, constants, lstatSync, openSync, unlinkSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { isSkillError, showName, SkillError } from '@repertoire/core'
import { systemCodeOf } from './system-code.ts'

/** How long a writer waits for others, in milliseconds, unless a host says otherwise. */
export const LOCK_TIMEOUT_MS = 30_000

/** Options of `withFileLock`. */
export interface FileLockOptions {
  /** How long to wait for other writers, in milliseconds. */
  readonly timeout: number
  /** Whether the file is removed afterwards, as where it would lie among a user's own files. */
  readonly removed?: boolean | undefined
}

const MIN_PAUSE_MS = 2
const MAX_PAUSE_MS = 40
const SQLITE_BUSY = 5

const NEW_FILE =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | ((constants as Partial<typeof constants>).O_NOFOLLOW ?? 0)
const LOCK_MODE = 0o644

/**
 * Does some work while no other process, and no other task in this one, does any under the same file.
 *
 * The lock is the kernel's own, taken by SQLite on a file that stays empty: it ends with the process that holds it,
 * however that ends, and not before. So a holder that was killed is waited for no longer, and one that was only stopped
 * never continues beside another, as it does where a lock is a file that counts as stale after some seconds.
 * @throws {SkillError} TIMED_OUT, FOLDER_NOT_WRITABLE, RESOURCE_REFUSED (a link is in the lock's place)
 */
export async function withFileLock<T>(
  path: string,
  { timeout, removed = false }: FileLockOptions,
  work: () => T | Promise<T>,
): Promise<T> {
  const end = Date.now() + timeout
  for (;;) {
    const release = await tryLock(path)
    if (release !== undefined) {
      try {
        return await work()
      } finally {
        // Whoever opened this file meanwhile finds that it is not the one of that path any more.
        if (removed) removeIfThere(path)
        release()
      }
    }
    if (Date.now() >= end) throw timedOut(path, timeout)
    await wait(MIN_PAUSE_MS + Math.random() * MAX_PAUSE_MS)
  }
}

/** Whether a program holds a lock now. Creates no file. */
export async function isFileLocked(path: string): Promise<boolean> {
  try {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return false
    const release = await tryLock(path)
    release?.()
    return release === undefined
  } catch (error) {
    // No program of ours holds a file that is not a lock, or that cannot be written.
    if (isSkillError(error) || systemCodeOf(error) === 'ENOTDIR') return false
    throw error
  }
}

/** Returns undefined while another process or caller has the lock. */
async function tryLock(path: string): Promise<(() => void) | undefined> {
  refuseUnlessEmptyFile(path)
  // Loaded at the first write: before Node 24 it prints a warning that it is experimental.
  const { DatabaseSync } = await import('node:sqlite')
  let database: InstanceType<typeof DatabaseSync> | undefined
  try {
    createUnlessThere(path)
    const before = identityOf(path)
    database = new DatabaseSync(path)
    // Nothing is ever written, so that there is nothing to undo: otherwise a second file would be made beside this one.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE')
    // Before it was locked, the file may have been removed by the one who had the lock. A new one is tried again.
    if (before !== undefined && identityOf(path) === before) return () => database!.close()
    database.close()
    return undefined
  } catch (error) {
    if (database?.isOpen === true) database.close()
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined
    const reason = error instanceof Error ? error.message : String(error)
    const message = `Nothing was written: the lock ${showName(path)} cannot be taken (${reason}). Check the permissions of its folder, or remove the file if it is not empty.`
    throw new SkillError('FOLDER_NOT_WRITABLE', message, { path, cause: error })
  }
}

/** A file with content would be a database: SQLite carries out a journal beside one, whoever has put it there. */
function refuseUnlessEmptyFile(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return
  // A file that another program removes at this moment has no links any more.
  const single = stats.isFile() && stats.nlink <= 1
  if (single && stats.size === 0) return
  const what = single ? 'has content, and locks are empty' : 'is a link or no file'
  const message = `Nothing was written: ${showName(path)} ${what}. Another program put it there: remove it.`
  throw new SkillError('RESOURCE_REFUSED', message, { path })
}

/** Closing a file gives up all locks this process has on it: only one that cannot have been locked is closed here. */
function createUnlessThere(path: string): void {
  try {
    closeSync(openSync(path, NEW_FILE, LOCK_MODE))
  } catch (error) {
    if (systemCodeOf(error) !== 'EEXIST') throw error
  }
}

function identityOf(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false, bigint: true })
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}`
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // Windows removes no open file. The next writer uses it.
  }
}

function timedOut(path: string, timeout: number): SkillError {
  const message = `Nothing was written: another program has held ${showName(path)} for ${timeout} ms. Look for one that was stopped, end it, and try again.`
  return new SkillError('TIMED_OUT', message, { path })
}
