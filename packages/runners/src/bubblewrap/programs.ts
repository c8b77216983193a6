import { SkillError } from '@repertoire/core'
import type { ContainmentPrograms } from '../process/contained.ts'
import { findProgram } from '../process/find-program.ts'

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
  for (const name of ['tar', 'stat', 'touch', 'mkdir', 'cksum', 'id', 'sort']) demand(name, COREUTILS)
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
