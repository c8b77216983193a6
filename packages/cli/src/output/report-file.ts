import { statSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { UsageError } from '../usage-error.ts'

/**
 * Returns the file that an option names, as an absolute path.
 * @param option for messages
 * @throws {UsageError} if the file cannot be written; checked before the work begins
 */
export function reportFile(name: string, folder: string, option = '--output'): string {
  if (name === '') throw new UsageError(`${option} is empty. Name the file to write.`)
  const file = resolve(folder, name)
  if (isFolder(file)) throw new UsageError(`${option} ${name} is a folder. Name a file in it.`)
  if (!isFolder(dirname(file)))
    throw new UsageError(`${option} ${name}: there is no folder ${dirname(file)}. Make it first.`)
  return file
}

/** Writes a report. */
export function saveReport(file: string, text: string, mode = 0o666): void {
  writeFileSync(file, text, { mode })
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
