import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { SkillError } from '@repertoire/core'
import type { ContainmentPrograms } from './contained.ts'

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

/** What builds a sandbox. */
export interface Programs extends ContainmentPrograms {
  readonly bwrap: string
  readonly prlimit: string
  readonly find: string
}

const UTIL_LINUX = 'Install the package util-linux.'
const COREUTILS = 'Install it with the package manager of the system.'

/**
 * Finds the programs, all of them in folders of the system's.
 * @param bwrap where bubblewrap is, if elsewhere
 * @throws {SkillError} SCRIPT_NOT_STARTED
 */
export function findPrograms(bwrap: string | undefined): Programs {
  for (const name of ['mount', 'flock']) demand(name, UTIL_LINUX)
  for (const name of ['tar', 'stat', 'mkdir', 'id', 'sort']) demand(name, COREUTILS)
  return {
    bwrap:
      bwrap ??
      demand(
        'bwrap',
        'Install bubblewrap (Debian, Ubuntu: "apt install bubblewrap", Fedora: "dnf install bubblewrap").',
      ),
    prlimit: demand('prlimit', UTIL_LINUX),
    setpriv: demand('setpriv', UTIL_LINUX),
    unshare: demand('unshare', UTIL_LINUX),
    sh: demand('sh', COREUTILS),
    find: demand('find', COREUTILS),
  }
}

function demand(name: string, remedy: string): string {
  const path = findProgram(name)
  if (path === undefined)
    throw new SkillError('SCRIPT_NOT_STARTED', `The sandbox needs "${name}", which is not installed. ${remedy}`)
  return path
}
