import { lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { UsageError } from '../usage-error.ts'

/**
 * Writes a file that is complete when it appears, and the folders above it.
 * @param remedy what to do if a file is there
 * @throws {UsageError} a file is there; or the error of the system
 */
export function writeNewFile(path: string, content: string | Uint8Array, remedy: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined)
    throw new UsageError(`${path} is there already. ${remedy}`)
  const staged = join(dirname(path), `.${basename(path)}.${process.pid}`)
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(staged, content, { flag: 'wx' })
    renameSync(staged, path)
  } catch (error) {
    rmSync(staged, { force: true })
    throw error
  }
}
