import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/** Where a system keeps its own programs. What a user put elsewhere does not build a sandbox. */
export const SYSTEM_FOLDERS: readonly string[] = [
  '/usr/bin',
  '/bin',
  '/usr/sbin',
  '/sbin',
  '/usr/local/bin',
  '/run/current-system/sw/bin',
]

/** The full path of a program, or undefined. */
export function findProgram(name: string, folders: readonly string[] = SYSTEM_FOLDERS): string | undefined {
  return folders.map((folder) => join(folder, name)).find(isProgram)
}

/** The absolute folders of a search path. */
export function foldersOfPath(path: string | undefined): readonly string[] {
  return (path ?? '').split(delimiter).filter((folder) => isAbsolute(folder))
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
